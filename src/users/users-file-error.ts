/** The file of `users` cannot be read, or there are more users than one build supports. */
export class UsersFileError extends Error {}
