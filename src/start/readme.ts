import { PACKAGE_MANAGERS, type PackageManager } from './package-manager.ts';

/** The README of a new repository, for its editors. */
export function repositoryReadme(packageManager: PackageManager): string {
  const { exec, install } = PACKAGE_MANAGERS[packageManager];
  return `# Themes

Logos, banners and colours of the community, as files. [themecast](https://www.npmjs.com/package/themecast) checks them and publishes them.

| to | do |
| --- | --- |
| change a theme | edit \`theme.yaml\` in its folder below \`themes/\`, or replace an image beside it |
| add a theme | \`${exec} themecast new NAME\`, with \`--logo FILE\` and \`--colour COLOUR\` if you have them |
| see it | \`${exec} themecast dev\`, then open the address that it prints |
| check it | \`${exec} themecast check\` lists every problem, with its place and what to do |
| give it to users | a line \`USER,THEME\` in \`themes/users.csv\`; THEME is the name of a folder |

Before the first time, install [Node.js](https://nodejs.org) 20.19 or later and run \`${install}\`.

Without a terminal: edit the files on the website of the Git host and propose the change. Where CI is set up, the checks run on every proposal and say what is wrong.

- The \`id\` of a theme never changes. If you rename its folder, \`${exec} themecast fix --write\` puts the new name into the users files.
- Images drawn by themecast are placeholders, with one warning for each theme: put your own beside them, name those in \`theme.yaml\`, and delete the placeholders.
- Settings of the whole site, such as its address, are in \`themes/site.yaml\`.
`;
}
