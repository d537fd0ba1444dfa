import { createHash } from 'node:crypto';
import { type Markup, markup, Markup as Safe, pageStart } from './html.ts';

/** The contents of a report. */
interface ReportContent {
  title: string;
  /** The line below the title. */
  about: Markup;
  /** The complete style sheet, including base.css. */
  style: string;
  main: Markup | readonly Markup[];
}

/** Returns a report in one file, without scripts: the browser runs nothing and loads only `data:` images. */
export function reportPage({ title, about, style, main }: ReportContent): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return markup`${pageStart(title, policy)}<style>${new Safe(style)}</style>
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
