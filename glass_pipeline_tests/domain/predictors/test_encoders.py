"""Fine-tuned arms, on a tiny BERT with random weights that is written to a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

from glass_pipeline.domain.predictors.baselines.bertpe import BertPe
from glass_pipeline.domain.predictors.baselines.vap3 import Vap3, job_means, pairs_of
from glass_pipeline.domain.predictors.calibration import calibrate
from glass_pipeline.domain.predictors.checkpoint import Checkpoint
from glass_pipeline.domain.predictors.config import EncoderConfig, FrailPiConfig, Lora, Loss, Recipe
from glass_pipeline.domain.predictors.encoder import encode, load_encoder, tokens, word_embeddings
from glass_pipeline.domain.predictors.fgsm import perturbed
from glass_pipeline.domain.predictors.frail_pi_encoder import FrailPiEncoder, _fit, _parts
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates
from glass_pipeline.domain.predictors.regression_tower import Adversary, Rows, Tower, fit_tower, outputs, row_loss
from glass_pipeline.domain.stats.rank import spearman

pytestmark = pytest.mark.skipif(find_spec("transformers") is None, reason="transformers is not installed")
Builder = Callable[..., JobSet]
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] mia sees boats kites and then more how many does she twin of job ? . - "
QUICK = Recipe(epochs=8, learning_rate=1e-2, encoder_learning_rate=1e-2, jobs_per_batch=16, microbatch=8)


@pytest.fixture(scope="module")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> EncoderConfig:
    """A BERT of two layers and sixteen dimensions."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny-bert")
    vocabulary = [*WORDS.split(), *map(str, range(30))]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    BertModel(
        BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=64,
        )
    ).save_pretrained(folder)
    return EncoderConfig(source=str(folder), longest=64)


def test_pairs_have_token_types_and_padding_changes_nothing(tiny_bert: EncoderConfig) -> None:
    """[CLS] base [SEP] twin [SEP] with types 0 and 1; a vector does not depend on what shares its batch."""
    encoder = load_encoder(tiny_bert)
    encoder.model.eval()
    pair = tokens(encoder, ["mia sees"], ["kites"])

    assert encoder.tokenizer.convert_ids_to_tokens(pair["input_ids"][0]) == [
        "[CLS]", "mia", "sees", "[SEP]", "kites", "[SEP]",
    ]  # fmt: skip
    assert pair["token_type_ids"][0].tolist() == [0, 0, 0, 0, 1, 1]
    alone = encode(encoder, tokens(encoder, ["mia sees"]))
    padded = encode(encoder, tokens(encoder, ["mia sees", "how many boats does she then"]))
    torch.testing.assert_close(alone[0], padded[0], atol=1e-5, rtol=0)


def test_word_embeddings_stand_for_the_word_pieces(tiny_bert: EncoderConfig) -> None:
    """Given as inputs they lead to the same vector: position and type are added once."""
    encoder = load_encoder(replace(tiny_bert, pooling="cls"))
    encoder.model.eval()
    batch = tokens(encoder, ["mia sees boats", "she"], ["kites", "more and more"])

    torch.testing.assert_close(encode(encoder, batch, word_embeddings(encoder, batch)), encode(encoder, batch))


def test_absent_weights_are_refused_with_the_remedy(tmp_path: Path) -> None:
    """A folder without a model is named; nothing is downloaded."""
    with pytest.raises(PredictorError, match=r"no weights of .*take .minilm"):
        load_encoder(EncoderConfig(source=str(tmp_path)))


def test_adapters_leave_the_encoders_own_weights_alone(tiny_bert: EncoderConfig) -> None:
    """Only query and value have something to train, of rank 8."""
    pytest.importorskip("peft")
    model = load_encoder(replace(tiny_bert, lora=Lora())).model
    trained = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}

    assert trained
    assert all(".query.lora_" in name or ".value.lora_" in name for name in trained)
    # Two layers, query and value, A (8 x 16) and B (16 x 8).
    assert sum(parameter.numel() for parameter in trained.values()) == 2 * 2 * 2 * 8 * 16


def test_the_perturbation_has_the_size_epsilon_on_words_and_none_on_padding() -> None:
    """Each coordinate moves by epsilon in the direction of its gradient; padding stays."""
    embedded = torch.zeros(1, 2, 3, requires_grad=True)
    gradient = torch.tensor([[[0.5, -2.0, 1e-9], [1.0, 1.0, 1.0]]])
    moved = perturbed(embedded, gradient, torch.tensor([[1, 0]]), epsilon=0.01)

    torch.testing.assert_close(moved, torch.tensor([[[0.01, -0.01, 0.01], [0.0, 0.0, 0.0]]]))
    assert not moved.requires_grad


def test_the_perturbed_copy_is_seldom_easier(tiny_bert: EncoderConfig) -> None:
    """At epsilon .01 the loss of the moved copy is not lower in at least 95 % of 60 rows, each taken alone."""
    tower = fit_tower(
        Rows(["mia sees boats", "she sees kites"] * 10),
        np.array([1.0, 0.0] * 10),
        encoder=replace(tiny_bert, pooling="cls"),
        recipe=QUICK,
        seed=0,
    )
    higher = 0
    for row in range(60):
        inputs = tokens(tower.encoder, [f"mia sees {row % 30} boats"], [f"{row % 7} kites more"])
        target = torch.tensor([float(row % 2)])
        embedded = word_embeddings(tower.encoder, inputs)
        clean = torch.nn.functional.mse_loss(outputs(tower, inputs, embedded), target)
        gradient = torch.autograd.grad(clean, embedded)[0]
        moved = perturbed(embedded, gradient, inputs["attention_mask"], epsilon=0.01)
        higher += bool(torch.nn.functional.mse_loss(outputs(tower, inputs, moved), target) >= clean)

    assert higher >= 57


def test_the_adversary_adds_its_weighted_loss(tiny_bert: EncoderConfig) -> None:
    """With epsilon 0 and no dropout the perturbed copy is the clean one: L (1 + lambda)."""
    tower = fit_tower(Rows(["mia sees boats"]), np.array([1.0]), encoder=tiny_bert, recipe=Recipe(epochs=1), seed=0)
    inputs, target = tokens(tower.encoder, ["mia sees kites"]), torch.tensor([0.0])
    clean = row_loss(tower, inputs, target, None)

    torch.testing.assert_close(row_loss(tower, inputs, target, Adversary(epsilon=0.0, weight=0.5)), 1.5 * clean)


def test_calibration_is_the_least_squares_line_clipped() -> None:
    """Raw .4, .6 to rates 0, 1: slope 5, and what lies outside is clipped; without spread nothing changes."""
    line = calibrate(np.array([0.4, 0.6]), np.array([0.0, 1.0]))

    np.testing.assert_allclose(line(np.array([0.5, 0.9, 0.1])), [0.5, 1.0, 0.0])
    np.testing.assert_allclose(calibrate(np.array([0.4]), np.array([1.0]))(np.array([0.3])), [0.3])


@pytest.mark.parametrize("make", [BertPe, Vap3])
def test_fine_tuned_baselines_learn_and_repeat_themselves(
    tiny_bert: EncoderConfig, toy_jobs: Builder, make: type[BertPe] | type[Vap3]
) -> None:
    """Boats rank above kites, and the same seed gives the same predictions."""
    encoder = replace(tiny_bert, pooling="cls")
    recipe = replace(QUICK, encoder_learning_rate=3e-3, learning_rate=3e-3, epochs=15 if make is BertPe else 3)
    new = toy_jobs(16, seed=2, start=60).without_outcomes()
    found = [
        make(encoder, recipe).fit(toy_jobs(40), toy_jobs(16, seed=1, start=40), seed=0).predict(new) for _ in range(2)
    ]

    assert found[0].equals(found[1])
    boats = np.array(["boats" in text for text in new.texts], dtype=float)
    assert spearman(found[0]["pi_hat"].to_numpy(), boats) > 0.8


def test_a_jobs_pairs_are_averaged(jobs_of: Builder) -> None:
    """Pairs .2, .4 of job b give .3; a job without twins has none and is named."""
    jobs = jobs_of(
        [{"base_id": "a", "text": "ta"}, {"base_id": "b", "text": "tb"}],
        [("b", "entity_rename", 1, 1.0), ("b", "entity_rename", 3, 0.0)],
    )

    np.testing.assert_allclose(job_means(jobs, np.array([0.2, 0.4])), [np.nan, 0.3])
    assert pairs_of(jobs) == Rows(["tb", "tb"], ["twin 0 of b", "twin 1 of b"])


@pytest.mark.parametrize("lora", [None, Lora()])
def test_frail_pi_learns_with_its_encoder(tiny_bert: EncoderConfig, toy_jobs: Builder, lora: Lora | None) -> None:
    """In full and through adapters, boats rank above kites; the same seed repeats itself."""
    config = FrailPiConfig(hidden=16, recipe=replace(QUICK, encoder_learning_rate=3e-3))
    new = toy_jobs(20, seed=2, start=60)
    found = [
        FrailPiEncoder(config, replace(tiny_bert, lora=lora))
        .fit(toy_jobs(40), toy_jobs(16, seed=1, start=40), seed=0)
        .predict(new.without_outcomes())
        for _ in range(2)
    ]

    assert found[0].equals(found[1])
    assert found[0].columns == ["base_id", "pi_hat", "a_hat", "b_hat", "wc_hat"]
    assert spearman(found[0]["pi_hat"].to_numpy(), break_rates(new, new.base_ids)) > 0.6


@pytest.mark.parametrize("lora", [None, Lora()])
def test_a_stored_encoder_predicts_the_same(tiny_bert: EncoderConfig, toy_jobs: Builder, lora: Lora | None) -> None:
    """Of a whole encoder everything is stored, of one with adapters these alone; a damaged store is refused."""
    config = FrailPiConfig(hidden=8, recipe=replace(QUICK, epochs=2))
    model = FrailPiEncoder(config, replace(tiny_bert, lora=lora)).fit(toy_jobs(20), toy_jobs(8, start=20), seed=0)
    stored = model.save()

    assert FrailPiEncoder.load(stored).predict(toy_jobs(5)).equals(model.predict(toy_jobs(5)))
    assert (b"word_embeddings" in stored.tensors) == (lora is None)
    damaged = Checkpoint(stored.tensors, stored.description.replace('"hidden": 8', '"hidden": 9'))
    with pytest.raises(PredictorError, match="train it again"):
        FrailPiEncoder.load(damaged)


@pytest.mark.parametrize("loss", ["bce", "per_job_mean"])
def test_microbatches_of_an_encoder_give_the_gradient_of_the_batch(
    tiny_bert: EncoderConfig, toy_jobs: Builder, loss: Loss
) -> None:
    """Pieces of 5 of 16 jobs with unequal twins: the accumulated gradient is that of one pass, to 1e-5."""
    full = toy_jobs(16)
    kept = full.twins.with_row_index().filter(~(full.twins["base_id"].is_in(full.base_ids[:3]))).drop("index")
    jobs = JobSet(problems=full.problems, twins=kept.vstack(full.twins.head(2))).labelled()
    gradients = []
    for microbatch in (5, 16):
        config = FrailPiConfig(hidden=8, loss=loss, dropout=0.0, recipe=replace(QUICK, epochs=1, microbatch=microbatch))
        fitted = _fit(replace(config, recipe=replace(QUICK, epochs=1, microbatch=16)), tiny_bert, jobs, jobs, 0)
        model = torch.nn.ModuleList([fitted.encoder.model, fitted.head]).eval()
        model.zero_grad()
        from glass_pipeline.domain.predictors.dose_features import cell_counts

        counts = cell_counts(jobs.twins, jobs.base_ids, fitted.cells)
        for part in _parts(config, fitted, jobs.texts, counts)(np.arange(len(jobs))):
            torch.autograd.backward(part.loss * part.share)
        gradients.append(torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]))

    torch.testing.assert_close(gradients[0], gradients[1], atol=1e-5, rtol=0)


def test_a_tower_is_what_it_was_trained_as(tiny_bert: EncoderConfig) -> None:
    """The loop leaves encoder and head in evaluation mode: two passes give the same output."""
    tower: Tower = fit_tower(Rows(["mia"]), np.array([1.0]), encoder=tiny_bert, recipe=Recipe(epochs=1), seed=0)
    inputs = tokens(tower.encoder, ["mia sees"])

    torch.testing.assert_close(outputs(tower, inputs), outputs(tower, inputs))
