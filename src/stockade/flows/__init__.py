"""What callers do over and over: checks, samples, plans, recordings and scripts."""
