"""What of a page does not fit its place: read by a browser."""

CUT = """() => [...document.querySelectorAll(
  "main :is(h1, h2, h3, button, .button, label, th, td, dt, dd, .chip, legend, summary)"
)].filter((element) => {
  const style = getComputedStyle(element);
  return !element.closest(".visually-hidden") && !["visible", "auto", "scroll"].includes(style.overflowX)
    && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
    && parseFloat(style.textIndent) < element.clientWidth;
}).map((element) => `cut: ${element.textContent.trim().slice(0, 60)}`)"""
"""Texts that are cut: what they are in hides what is too wide. Words pushed out whole are for those who hear them."""
