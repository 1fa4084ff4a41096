/** A page for when there is no gateway to serve one. Both texts are escaped. */
export const errorPage = (title: string, details: string) =>
  `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>
<title>Sluice</title>
<style>
  body { font: 13px/18px system-ui, sans-serif; margin: 48px auto; max-width: 720px; padding: 0 24px;
    background: #0e1116; color: #e6eaf0 }
  h1 { font-size: 15px }
  pre { background: #151a21; border: 1px solid #2a323c; border-radius: 6px; padding: 12px;
    white-space: pre-wrap; overflow-wrap: anywhere }
</style>
<h1>${escape(title)}</h1>
<pre>${escape(details)}</pre>
<p>Mend the cause, then start Sluice again.</p>`)}`

const escape = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
