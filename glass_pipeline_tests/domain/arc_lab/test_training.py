"""Training is reproducible, selects the first best epoch, and leaves the base model as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.arc_lab.adapters import SETTINGS, WEIGHTS, attached, new_adapter, target_modules
from glass_pipeline.domain.arc_lab.base_watch import BaseWatch
from glass_pipeline.domain.arc_lab.encoding import TrainingRow
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.predicting import accuracy, predict
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.arc_lab.training import Epoch, collate, first_best, train_adapter

CONFIG = LabConfig(seeds=(1, 2), epochs=2, learning_rate=0.02, batch_size=4)


def train(tiny: Any, seed: int, config: LabConfig = CONFIG, base: Any = None) -> Any:
    """Train an adapter on the invented items."""
    return train_adapter(
        base or tiny.model, tiny.material, config, seed, scorer=tiny.scorer, on_epoch=lambda _epoch: None
    )


def epoch(number: int, found: float) -> Epoch:
    """An epoch of seed 101."""
    return Epoch(seed=101, epoch=number, loss=1.5, validation_accuracy=found)


def test_the_first_best_epoch_is_selected() -> None:
    """Strictly better replaces, equal does not: of .2 .3 .3 it is the second."""
    assert first_best([epoch(1, 0.2), epoch(2, 0.3), epoch(3, 0.3)]).epoch == 2


def test_the_log_line_is_the_labs() -> None:
    """Six decimals each."""
    assert epoch(1, 0.25).line() == "seed=101 epoch=1 loss=1.500000 validation_accuracy=0.250000"


def test_a_batch_is_padded_on_the_right() -> None:
    """Padding is the end of text, so the mask hides that too; its label stays supervised."""
    batch = collate([TrainingRow((7, 8, 0), (-100, 8, 0)), TrainingRow((7, 0), (-100, 0))], pad=0)

    assert batch["input_ids"].tolist() == [[7, 8, 0], [7, 0, 0]]
    assert batch["attention_mask"].tolist() == [[1, 1, 0], [1, 0, 0]]
    assert batch["labels"].tolist() == [[-100, 8, 0], [-100, 0, -100]]


def test_a_seed_gives_the_same_adapter_twice_and_another_seed_another(tiny: Any) -> None:
    """To the byte; the global generators are as before, and so is the base model, to the bit."""
    import torch

    watch = BaseWatch(tiny.model, tiny.questions.encoded[0])
    torch.manual_seed(5)
    before = torch.get_rng_state()
    first, other, again = train(tiny, 1), train(tiny, 2), train(tiny, 1)

    assert first == again
    assert first.adapter.weights != other.adapter.weights
    assert torch.equal(before, torch.get_rng_state())
    assert not torch.are_deterministic_algorithms_enabled()
    watch.check(tiny.model, "training")


def test_training_learns(tiny: Any) -> None:
    """The loss of the last of six passes is below that of the first."""
    found = train(tiny, 1, LabConfig(seeds=(1,), epochs=6, learning_rate=0.02, batch_size=4))

    assert found.epochs[-1].loss < found.epochs[0].loss
    assert [each.epoch for each in found.epochs] == [1, 2, 3, 4, 5, 6]


def test_the_adapter_is_that_of_the_selected_epoch(tiny: Any) -> None:
    """Put on the base again, it has the validation accuracy that it was selected for, and comes off without a trace."""
    found = train(tiny, 1)
    watch = BaseWatch(tiny.model, tiny.questions.encoded[0])

    with attached(tiny.model, found.adapter) as model:
        assert accuracy(predict(model, tiny.questions, tiny.scorer)) == found.selected.validation_accuracy
    watch.check(tiny.model, "an adapter")
    assert not hasattr(tiny.model, "peft_config")


def test_peft_reads_the_adapter_from_its_files(tiny: Any, tmp_path: Path) -> None:
    """The two files are those of PEFT, and give the same scores."""
    from peft import PeftModel

    found = train(tiny, 1).adapter
    with attached(tiny.model, found) as model:
        expected = tiny.scorer.scores(model, tiny.questions.encoded)
    (tmp_path / WEIGHTS).write_bytes(found.weights)
    (tmp_path / SETTINGS).write_bytes(found.settings)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        read = PeftModel.from_pretrained(tiny.model, tmp_path)

    assert tiny.scorer.scores(read, tiny.questions.encoded) == expected


def test_a_changed_base_is_seen(tiny: Any) -> None:
    """One weight moved by a hair is enough."""
    import torch

    watch = BaseWatch(tiny.model, tiny.questions.encoded[0])
    with torch.no_grad():
        next(iter(tiny.model.parameters()))[tiny.questions.encoded[0].prompt[0], 0] += 1e-3

    with pytest.raises(LabError, match="logits changed after seed 7"):
        watch.check(tiny.model, "seed 7")


def test_a_loss_that_is_no_number_stops_the_series(tiny: Any) -> None:
    """A base with a NaN cannot be trained; the message says where and what to do."""
    import torch

    with torch.no_grad():
        tiny.model.gpt_neox.final_layer_norm.weight[0] = float("nan")

    with pytest.raises(LabError, match=r"The loss is nan at seed 1, epoch 1, batch 1; do not evaluate"):
        train(tiny, 1)


def test_out_of_memory_asks_for_a_smaller_batch_for_all_seeds(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the batch, and every seed again."""
    import torch

    def full(*_arguments: object, **_named: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(torch.optim, "AdamW", full)

    with pytest.raises(LabError, match="train all seeds again with --batch-size 2"):
        train(tiny, 1)


def test_target_modules_are_those_of_the_architecture_or_named() -> None:
    """Never guessed: an architecture that PEFT does not know needs names."""
    assert target_modules(CONFIG, "gpt_neox") == ("query_key_value",)
    assert target_modules(CONFIG, "llama") == ("q_proj", "v_proj")
    assert target_modules(LabConfig(target_modules=("dense",)), "gpt_neox") == ("dense",)
    with pytest.raises(LabError, match="name them with --target-module"):
        target_modules(CONFIG, "made-up")


def test_a_module_that_is_not_there_is_refused(tiny: Any) -> None:
    """With the way to name another."""
    with pytest.raises(LabError, match="LoRA cannot be put on nowhere"):
        new_adapter(tiny.model, LabConfig(target_modules=("nowhere",)))


def test_bytes_that_are_no_adapter_are_refused(tiny: Any) -> None:
    """Damaged weights, other kinds of adapter, and adapters of another shape each say so, and leave the base alone."""
    found = train(tiny, 1).adapter
    watch = BaseWatch(tiny.model, tiny.questions.encoded[0])
    wider = train(tiny, 1, LabConfig(seeds=(1,), epochs=1, rank=4)).adapter
    cases = {
        "is not a safetensors file": found._replace(weights=b"nothing"),
        "describes 'IA3', not LORA": found._replace(settings=b'{"peft_type": "IA3"}'),
        "does not describe an adapter": found._replace(settings=b"[]"),
        "does not fit the base model": found._replace(weights=wider.weights),
    }

    for message, adapter in cases.items():
        with pytest.raises(LabError, match=message), attached(tiny.model, adapter):
            pass
        watch.check(tiny.model, "a refused adapter")
