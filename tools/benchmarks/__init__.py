"""Speed, measured beside a stated baseline in the same run; ratios, because machines differ and are noisy."""
