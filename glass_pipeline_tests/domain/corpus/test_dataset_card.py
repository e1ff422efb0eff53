"""The card of an exported data set, as the hub reads it."""

from __future__ import annotations

from typing import Any

import pytest
from huggingface_hub import DatasetCard

from glass_pipeline.domain.corpus.dataset_card import CardFacts, dataset_card
from glass_pipeline.domain.corpus.notices import known_sources
from glass_pipeline.domain.schemas import LABELED_PAIRS


def card(**changed: Any) -> DatasetCard:
    """Return a card of two dose files, parsed by the hub's own reader."""
    facts = {
        "suite": "glassgsm",
        "solver": "gpt-4o-mini",
        "is_simulated": False,
        "files": {1: "data/glassgsm/m1.parquet", 9: "data/glassgsm/m9.parquet"},
        "pairs": {1: 1319, 9: 11000},
        "bases": 1319,
        "twin_texts": 12000,
        "sources": known_sources(["gsm8k"]),
        "licences": ("MIT",),
    }
    return DatasetCard(dataset_card(CardFacts(**(facts | changed))))


def test_the_head_says_how_the_files_load() -> None:
    """One split a dose, in one configuration; 12,319 rows are between ten and a hundred thousand."""
    head = card().data.to_dict()

    assert head["configs"] == [
        {
            "config_name": "default",
            "data_files": [
                {"split": "m1", "path": "data/glassgsm/m1.parquet"},
                {"split": "m9", "path": "data/glassgsm/m9.parquet"},
            ],
        }
    ]
    assert head["size_categories"] == ["10K<n<100K"]
    assert head["license"] == "mit"


@pytest.mark.parametrize("licences", [("as the release states",), ("MIT", "CC-BY-4.0")])
def test_only_a_data_set_that_is_all_mit_says_so(licences: tuple[str, ...]) -> None:
    """Any other licence points at the notice."""
    head = card(licences=licences).data.to_dict()

    assert (head["license"], head["license_link"]) == ("other", "NOTICE.md")


def test_the_text_names_every_column_and_the_citations() -> None:
    """A reader finds what each column holds and whom to cite."""
    text = card().text

    assert all(f"| `{name}` |" in text for name in (*LABELED_PAIRS.schema, "gold"))
    assert "cobbe2021gsm8k" in text
    assert "simulation" not in text


def test_simulated_labels_are_called_so() -> None:
    """Nobody can take a simulation for a model's answers."""
    simulated = card(is_simulated=True)

    assert "simulated" in simulated.data.to_dict()["tags"]
    assert "The labels are a simulation" in simulated.text
