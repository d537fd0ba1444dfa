/** The outcome of a form. `next`: the page that a browser without the script shows then. */
export type Reply =
  | { status: number; location: string }
  | { status: number; json: object; html: () => string; next?: string };
