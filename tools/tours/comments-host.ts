/** The host of the comments. It has no server: walks and tests stub it. */
export const commentsHost = 'https://comments.example';
