import type { credentialsMachine } from '../../../../machines/account/credentials.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { newEmail } from '../../../browser/shop.ts';
import { standsRecorded, nextOf } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { fillFields, isDone, json, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof credentialsMachine> = {
  loading: 'Email and password',
  closed: 'Email and password',
  askingEmail: 'Email and password',
  savingEmail: 'Email and password',
  askingPassword: 'Email and password',
  savingPassword: 'Email and password',
};

const save = {
  asks: ({ pathname }: URL) => pathname.endsWith('/user/details'),
  answer: () => xml(element('Result', [fields({ Status: 'Ok' })])),
};

/** The current password, or another one where the next answer says that it is wrong. */
const currentFor = (world: World, port: string): string => {
  const next = nextOf(world, port);
  const problem = next === null || isDone(next) ? null : problemOf(next['error']);
  return problem?.kind === 'refused' && problem.code === 'wrong_password' ? 'not the password' : password;
};

export const stage: Stage = {
  name: 'credentials',
  models: models.filter(({ name }) => name === 'credentials'),
  address: () => '/account',
  startsSignedIn: () => true,
  arrives: standsRecorded,
  headings,
  ports: {
    hasPassword: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways'),
      answer: (hasPassword: boolean) => json({ hasPassword }),
      says: (hasPassword: boolean, body) => hasPassword === body.includes('true'),
    },
    saveEmail: save,
    savePassword: save,
  },
  // Whoever has another address stays where they are.
  reacts: ({ type }) => (type === 'session.started' ? null : undefined),
  causes: {
    'email.submitted': async (world, event) => {
      const hasPassword = 'current' in (event['pii'] as { form: object }).form;
      await fillFields(world, {
        email: newEmail(),
        ...(hasPassword ? { current: currentFor(world, 'saveEmail') } : {}),
      });
      await press(world, event);
    },
    'email.rejected': async (world) => {
      await fillFields(world, { email: 'no address' });
      await press(world, { type: 'email.submitted' });
    },
    'password.submitted': async (world, event) => {
      await fillFields(world, { password, again: password, current: currentFor(world, 'savePassword') });
      await press(world, event);
    },
    'password.rejected': async (world) => {
      await fillFields(world, { password, again: 'another one', current: password });
      await press(world, { type: 'password.submitted' });
    },
  },
};
