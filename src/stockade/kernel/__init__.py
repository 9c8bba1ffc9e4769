"""The one way a call goes, from whoever asks to the browser and back."""
