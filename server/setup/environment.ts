import { intersect } from 'valibot';
import { type ChosenProvider, paymentSettings, paymentVariables } from '../payment/providers.ts';
import { readVariables } from '../settings/read-variables.ts';
import { type Settings, createSettingsSchema } from '../settings/settings.ts';
import { shopVariables } from '../settings/shop-variables.ts';
import type { Variables } from '../settings/variable.ts';

/** All variables that a shop reads. */
export const variables: Variables = { ...shopVariables, ...paymentVariables };

export type Environment = Settings & { provider: ChosenProvider | undefined };

/**
 * Reads all settings from the environment.
 * @param root the program's folder, which relative paths start from
 * @throws BadSetting with a line for each problem
 */
export const readEnvironment = (environment: NodeJS.ProcessEnv, root: string): Environment =>
  readVariables(intersect([createSettingsSchema(root), paymentSettings]), variables, environment);
