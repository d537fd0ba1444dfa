import { createHash } from 'node:crypto';
import { type Markup, markup, Markup as Safe } from './html.ts';

/** What a report shows. */
interface Report {
  title: string;
  /** The line below the title. */
  about: Markup;
  /** All of its rules, those of base.css too. */
  style: string;
  main: Markup | readonly Markup[];
}

/** A report in one file, without script: nothing in it is requested but `data:` images, and nothing runs. */
export function reportPage({ title, about, style, main }: Report): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Safe(style)}</style>
</head>
<body>
<header><h1>${title}</h1>
<p class="about">${about}</p></header>
<main>
${main}</main>
</body>
</html>
`.text;
}
