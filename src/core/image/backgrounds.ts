/**
 * The backgrounds of both modes, on which pages show images, and on which advice about logos is based. A community may have others; most are nearly
 * white and nearly black.
 */
export const BACKGROUNDS = { light: '#fff', dark: '#151922' } as const;

export type Mode = keyof typeof BACKGROUNDS;
