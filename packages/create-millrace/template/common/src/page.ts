export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Sign up</title>
    <style>
      body { font: 16px/1.5 system-ui; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; }
      label, button { display: block; margin: 1rem 0; }
      input { display: block; width: 100%; padding: 0.4rem; font: inherit; box-sizing: border-box; }
    </style>
  </head>
  <body>
    <h1>Sign up</h1>
    <form>
      <label>Name <input name="name" required /></label>
      <label>Email <input name="email" type="email" required /></label>
      <button>Send me a welcome mail</button>
    </form>
    <p id="answer" role="status"></p>
    <p><a href="/millrace/ui/">Open the dashboard</a></p>
    <script>
      const answer = document.getElementById("answer");
      document.querySelector("form").addEventListener("submit", async (event) => {
        event.preventDefault();
        const body = JSON.stringify(Object.fromEntries(new FormData(event.target)));
        const response = await fetch("/signup", { method: "POST", headers: { "content-type": "application/json" }, body });
        const { jobId, dashboard, error } = await response.json();
        answer.textContent = error ?? "";
        if (!jobId) return;
        const link = document.createElement("a");
        link.href = dashboard;
        link.textContent = "Job " + jobId;
        answer.append(link, " will send the mail.");
      });
    </script>
  </body>
</html>
`;
