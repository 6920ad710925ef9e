/** The origin of the comments' script. No server runs there: walks and tests stub its responses. */
export const commentsHost = 'https://comments.example';
