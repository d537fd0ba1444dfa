import { styleText } from 'node:util';

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Returns a function that styles text for a terminal; without `colour`, it changes nothing. */
export function painter(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}
