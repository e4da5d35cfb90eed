"""What is trusted: one normal form, switchable laws, obligations, and proofs as replayable records."""
