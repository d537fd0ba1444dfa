import { readTemplates } from '../../lib/commands/start/io/templates.js';
import { workflows } from '../../lib/commands/start/repository.js';

const REPOSITORY = {
  hosts: /** @type {const} */ (['nginx']),
  templates: readTemplates(),
};

/** Workflows of a theme repository that is deployed to nginx, as `init` writes them, by their paths in `docs/theme-repository/`. */
export function exampleWorkflows() {
  const files = /** @type {const} */ (['github', 'gitlab']).flatMap((ci) => [...workflows({ ...REPOSITORY, ci })]);
  return Object.fromEntries(
    files.map(([name, text]) => [`docs/theme-repository/${name.replace(/^\.(?:github\/workflows\/)?/, '')}`, text]),
  );
}
