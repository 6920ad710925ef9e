import type { deletionMachine } from '../../../../machines/account/deletion.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, json, xml } from '../../wires.ts';
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
  address: () => '/account',
  startsSignedIn: () => true,
  arrives: waitForFlowAndRecorder,
  headings,
  // A form without fields cannot be invalid.
  isPossible: ({ context }, { type }) => type !== 'deletion.rejected' || (context as { hasPassword: boolean }).hasPassword,
  ports: {
    hasPassword: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways'),
      answer: (hasPassword: boolean) => json({ hasPassword }),
      says: (hasPassword: boolean, body) => hasPassword === body.includes('true'),
    },
    // With a wrong password, the sign-in check fails before the deletion is requested.
    deleteAccount: {
      asks: ({ pathname }) => /\/user\/(?:signin|delete)$/.test(pathname),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: (event) => isDoneEvent(event) || toProblem(event['error']).kind === 'unauthorized',
    },
  },
  causes: {
    'deletion.submitted': async (world, event) => {
      const next = getNextSettlement(world, 'deleteAccount');
      const isWrong = next !== null && !isDoneEvent(next) && toProblem(next['error']).kind === 'unauthorized';
      if ('password' in (event['pii'] as { form: object }).form)
        await fillFields(world, { password: isWrong ? 'not the password' : password });
      await press(world, event);
    },
    'leave.pressed': leaveShop,
    'deletion.rejected': async (world) => press(world, { type: 'deletion.submitted' }),
  },
};
