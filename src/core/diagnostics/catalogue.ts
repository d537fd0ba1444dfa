import { adviceCatalogue } from './catalogue/advice.ts';
import { edgeCatalogue } from './catalogue/edge.ts';
import { fieldCatalogue } from './catalogue/field.ts';
import { imageCatalogue } from './catalogue/image.ts';
import { mappingCatalogue } from './catalogue/mapping.ts';
import { outputCatalogue } from './catalogue/output.ts';
import { redirectCatalogue } from './catalogue/redirect.ts';
import { svgCatalogue } from './catalogue/svg.ts';
import { themeCatalogue } from './catalogue/theme.ts';
import { yamlCatalogue } from './catalogue/yaml.ts';

export type { Entry } from './catalogue/entry.ts';

/** Every diagnostic. Codes are permanent: a removed code never gets another meaning. */
export const catalogue = {
  ...yamlCatalogue,
  ...fieldCatalogue,
  ...themeCatalogue,
  ...imageCatalogue,
  ...adviceCatalogue,
  ...svgCatalogue,
  ...mappingCatalogue,
  ...redirectCatalogue,
  ...edgeCatalogue,
  ...outputCatalogue,
};

/** Identifies a kind of problem. */
export type Code = keyof typeof catalogue;

/** The arguments that the message of a code needs. */
export type Arguments<C extends Code> = Parameters<(typeof catalogue)[C]['message']>[0];
