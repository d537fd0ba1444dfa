/** Flags of earlier versions, and what to do now. */
export const REMOVED_FLAGS: Readonly<Record<string, string>> = {
  '--verify-cache':
    'Delete `~/.local/state/themecast` (`$XDG_STATE_HOME`): the next build then reads every file again.',
  '--live': 'Run `verify URL --as USER`: it requests the theme of that user from the deployment, and compares.',
  '--releases':
    'Every document in the output is whole at every moment. To switch all of them at once, upload to a new folder and replace a link to it in the deployment.',
};
