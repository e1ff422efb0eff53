"""Holds the proof that an adapter left no trace on the base model.

Never compares with a tolerance: the same weights on the same machine give the same bits.
"""

from __future__ import annotations

from typing import Any

from glass_pipeline.domain.arc_lab.encoding import EncodedItem
from glass_pipeline.domain.arc_lab.errors import LabError

LONGEST_PROBE = 64
"""Ids of the prompt that is looked at."""


class BaseWatch:
    """The logits of a base model on one prompt, as they were before the first adapter."""

    def __init__(self, base: Any, item: EncodedItem) -> None:
        self._ids = item.prompt[:LONGEST_PROBE]
        self._before = self._logits(base)

    def check(self, base: Any, after: str) -> None:
        """Refuse to go on with a base model that has changed.

        Args:
            base: The model, without an adapter.
            after: What was done with it, for the message.

        Raises:
            LabError: one logit differs.
        """
        import torch

        if not torch.equal(self._before, self._logits(base)):
            raise LabError(
                f"The base model's logits changed after {after}, so later results would not be of this base; restart "
                "the command, and report this with the versions of torch and peft."
            )

    def _logits(self, base: Any) -> Any:
        import torch

        base.eval()
        ids = torch.tensor([self._ids], dtype=torch.long, device=next(base.parameters()).device)
        with torch.inference_mode():
            return base(input_ids=ids, use_cache=False).logits.cpu()
