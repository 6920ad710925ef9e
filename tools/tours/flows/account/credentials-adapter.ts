import type { credentialsMachine } from '../../../../machines/account/credentials.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { createEmail } from '../../../browser/shop.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter, Port, WalkContext } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, toJsonResponse, toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof credentialsMachine> = {
  loading: 'Email and password',
  closed: 'Email and password',
  askingEmail: 'Email and password',
  savingEmail: 'Email and password',
  askingPassword: 'Email and password',
  savingPassword: 'Email and password',
};

const savePort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/user/details'),
  toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
};

/** Returns the current password, or a wrong password if the port's next settlement refuses it. */
const getCurrentPassword = (walk: WalkContext, port: string): string => {
  const settlement = getNextSettlement(walk, port);
  const problem = settlement === null || isDoneEvent(settlement) ? null : toProblem(settlement['error']);
  return problem?.kind === 'refused' && problem.code === 'wrong_password' ? 'not the password' : password;
};

export const adapter: BrowserAdapter = {
  name: 'credentials',
  models: models.filter(({ name }) => name === 'credentials'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  openScreen: waitForFlowAndRecorder,
  headings,
  ports: {
    hasPassword: {
      matches: ({ pathname }) => pathname.endsWith('/user/ways'),
      toResponse: (hasPassword: boolean) => toJsonResponse({ hasPassword }),
      isEquivalent: (hasPassword: boolean, body) => hasPassword === body.includes('true'),
    },
    saveEmail: savePort,
    savePassword: savePort,
  },
  // A customer whose e-mail address has changed stays on the page.
  getReaction: ({ type }) => (type === 'session.started' ? null : undefined),
  causes: {
    'email.submitted': async (walk, event) => {
      const hasPassword = 'current' in (event['pii'] as { form: object }).form;
      await fillFields(walk, {
        email: createEmail(),
        ...(hasPassword ? { current: getCurrentPassword(walk, 'saveEmail') } : {}),
      });
      await press(walk, event);
    },
    'email.rejected': async (walk) => {
      await fillFields(walk, { email: 'no address' });
      await press(walk, { type: 'email.submitted' });
    },
    'password.submitted': async (walk, event) => {
      await fillFields(walk, { password, again: password, current: getCurrentPassword(walk, 'savePassword') });
      await press(walk, event);
    },
    'password.rejected': async (walk) => {
      await fillFields(walk, { password, again: 'another one', current: password });
      await press(walk, { type: 'password.submitted' });
    },
  },
};
