/** The outcome of a form. */
export type Reply = { status: number; location: string } | { status: number; json: object; html: () => string };
