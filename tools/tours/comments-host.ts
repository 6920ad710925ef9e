/** The host of the comments. No server answers there: tours and tests answer for it. */
export const commentsHost = 'https://comments.example';
