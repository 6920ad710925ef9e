import type { SignedIn } from '../../../machines/app/session.ts';
import { element, fields } from '../../../server/xml/write.ts';
import type { World } from './stage.ts';
import { xml } from './wires.ts';

/** Fills in the fields of a form by their names. */
export const type = async ({ flow }: World, values: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await flow.locator(`[name="${name}"]`).fill(value);
};

/** The session that a customer is given who signs in or up. */
export const issued = ({ userId, pii }: SignedIn) =>
  xml(element('SignIn', [fields({ IdToken: 'a-token', UserId: userId, EmailId: pii.email })]));

export const isDone = ({ type: name }: { type: string }): boolean => name.startsWith('xstate.done.');
