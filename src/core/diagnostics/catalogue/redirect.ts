import { quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error } from './entry.ts';

export const redirectCatalogue = {
  'redirect/columns': error('a line of `redirects.csv` that does not have three columns', {
    message: ({ isHeader }: { isHeader: boolean }) =>
      isHeader ? 'The first line must be `old_path,theme,image`.' : 'Each line must have three columns.',
    hint: ({ isHeader }) =>
      isHeader
        ? 'Write exactly that in the first line, with commas.'
        : 'Write the line like `/media/old-logo.png,harbor,logo`, and close each quoted value. For a thumbnail, the image is `logo_site.thumbnail`.',
  }),
  'redirect/path': error('an old path that cannot be redirected', {
    message: ({ path, reason }: { path: string; reason: string }) => `The old path ${quote(path)} ${reason}.`,
    hint: () => 'Write the path of an image at the old service as a browser requests it, or delete the line.',
  }),
  'redirect/duplicate': error('an old path that is redirected twice', {
    message: ({ path, first }: { path: string; first: number }) =>
      `The old path ${quote(path)} is already redirected in line ${first}.`,
    hint: () => 'Delete one of the two lines.',
  }),
  'redirect/target': error('a redirect to something that is not an image of this site', {
    message: ({ target }: { target: string; suggestion: string | undefined }) =>
      `This site has no theme or image ${quote(target)}.`,
    hint: ({ suggestion }) =>
      didYouMean(suggestion) ??
      'Write the id or the folder name of a theme, and the name of an image field, such as `logo`, or `logo_site.thumbnail`; or delete the line.',
  }),
};
