"""Those who are asked for what Stockade does not have: logins, one-time codes, solved captchas."""
