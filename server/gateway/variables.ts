import { minLength, optional, pipe, string } from 'valibot';
import { secret, text, wholeNumber, type Variables } from '../settings/variable.ts';

/** The variables of `npm run gateway`. */
export const gatewayVariables = {
  GATEWAY_FOLDER: {
    schema: pipe(string(), minLength(1, 'must name the folder of the journal')),
    description: 'the folder of its journal',
  },
  GATEWAY_SECRET: { schema: secret, isSecret: true, description: 'the secret by which it knows shops, 16 characters or more' },
  HOST: { schema: optional(text, '127.0.0.1'), description: 'the network address that it listens on' },
  PORT: { schema: optional(wholeNumber(0, 65535), '0'), description: 'the port that it listens to; 0 takes a free one' },
} as const satisfies Variables;
