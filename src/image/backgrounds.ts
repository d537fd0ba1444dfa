/**
 * The backgrounds of the two modes: pages show images on them, and advice about logos goes by them. A community may have others; most are
 * nearly white and nearly black.
 */
export const BACKGROUNDS = { light: '#fff', dark: '#151922' } as const;

export type Mode = keyof typeof BACKGROUNDS;
