import { type Compared, unaccepted } from './result.ts';

/** What to do about differences that break clients; nothing about those that are accepted. */
export function remedies(compared: readonly Compared[]): string[] {
  const open = unaccepted({ compared });
  const form = open.find(({ what }) => what === LIST_FORM);
  const isHidden = open.some(({ what }) => what.includes(' Access-Control-Allow-'));
  return [
    ...(form === undefined
      ? []
      : [
          `LIST is ${form.old} at OLD, and ${form.new} at NEW: clients of one cannot read the other. Let them read both first: see "Clients that read pages" in docs/migrating.md.`,
        ]),
    ...(isHidden
      ? [
          'Pages of other origins may read OLD, and not NEW. List their origins as `cors: { allowed_origins: [ORIGIN] }` in site.yaml: see "Front ends on other origins" in docs/migrating.md.',
        ]
      : []),
  ];
}

/** The row of what clients of LIST have to read: an array, or an object with pages. */
export const LIST_FORM = 'LIST form';
