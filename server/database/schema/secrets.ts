import type { Moment } from './columns.ts';

export type SecretsTable = {
  name: string;
  /** base64url */
  value: string;
  created_at: Moment;
};
