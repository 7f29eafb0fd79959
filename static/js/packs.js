/* The pack editor: the server says what is wrong beside a field that stays as it is; so the field follows what is said.
 */

document.addEventListener("htmx:afterSettle", () => {
  for (const said of document.querySelectorAll(".said")) {
    const field = document.querySelector(`:is(input, select, textarea)[aria-describedby~="${CSS.escape(said.id)}"]`);
    if (said.querySelector(".field-error")) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }
});
