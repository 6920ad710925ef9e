import type { credentialsMachine } from '../../../../machines/account/credentials.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { createEmail } from '../../../browser/shop.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, json, xml } from '../../wires.ts';
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
  answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
};

/** The current password, or a wrong one if the next answer refuses it. */
const getCurrentPassword = (world: WalkContext, port: string): string => {
  const next = getNextSettlement(world, port);
  const problem = next === null || isDoneEvent(next) ? null : toProblem(next['error']);
  return problem?.kind === 'refused' && problem.code === 'wrong_password' ? 'not the password' : password;
};

export const adapter: BrowserAdapter = {
  name: 'credentials',
  models: models.filter(({ name }) => name === 'credentials'),
  address: () => '/account',
  startsSignedIn: () => true,
  arrives: waitForFlowAndRecorder,
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
  // A customer whose address has changed stays on the page.
  reacts: ({ type }) => (type === 'session.started' ? null : undefined),
  causes: {
    'email.submitted': async (world, event) => {
      const hasPassword = 'current' in (event['pii'] as { form: object }).form;
      await fillFields(world, {
        email: createEmail(),
        ...(hasPassword ? { current: getCurrentPassword(world, 'saveEmail') } : {}),
      });
      await press(world, event);
    },
    'email.rejected': async (world) => {
      await fillFields(world, { email: 'no address' });
      await press(world, { type: 'email.submitted' });
    },
    'password.submitted': async (world, event) => {
      await fillFields(world, { password, again: password, current: getCurrentPassword(world, 'savePassword') });
      await press(world, event);
    },
    'password.rejected': async (world) => {
      await fillFields(world, { password, again: 'another one', current: password });
      await press(world, { type: 'password.submitted' });
    },
  },
};
