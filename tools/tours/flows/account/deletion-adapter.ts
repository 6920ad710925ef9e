import type { deletionMachine } from '../../../../machines/account/deletion.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, toJsonResponse, toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';
import { leaveShop } from './adapter-helpers.ts';

const headings: Headings<typeof deletionMachine> = {
  closed: 'Delete account',
  looking: 'Delete account',
  asking: 'Delete account',
  deleting: 'Delete account',
  gone: 'Delete account',
};

export const adapter: BrowserAdapter = {
  name: 'deletion',
  models: models.filter(({ name }) => name === 'deletion'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  openScreen: waitForFlowAndRecorder,
  headings,
  // A form without fields cannot be invalid.
  isPossible: ({ context }, { type }) => type !== 'deletion.rejected' || (context as { hasPassword: boolean }).hasPassword,
  ports: {
    hasPassword: {
      matches: ({ pathname }) => pathname.endsWith('/user/ways'),
      toResponse: (hasPassword: boolean) => toJsonResponse({ hasPassword }),
      isEquivalent: (hasPassword: boolean, body) => hasPassword === body.includes('true'),
    },
    // With a wrong password, the sign-in check fails before the deletion is requested.
    deleteAccount: {
      matches: ({ pathname }) => /\/user\/(?:signin|delete)$/.test(pathname),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: (event) => isDoneEvent(event) || toProblem(event['error']).kind === 'unauthorized',
    },
  },
  causes: {
    'deletion.submitted': async (walk, event) => {
      const settlement = getNextSettlement(walk, 'deleteAccount');
      const isRefused = settlement !== null && !isDoneEvent(settlement) && toProblem(settlement['error']).kind === 'unauthorized';
      if ('password' in (event['pii'] as { form: object }).form)
        await fillFields(walk, { password: isRefused ? 'not the password' : password });
      await press(walk, event);
    },
    'leave.pressed': leaveShop,
    'deletion.rejected': async (walk) => press(walk, { type: 'deletion.submitted' }),
  },
};
