import type { deletionMachine } from '../../../../machines/account/deletion.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { standsRecorded, nextOf } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Stage } from '../../stage.ts';
import { fillFields, isDone, json, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';
import { leaveForGood } from './stage-helpers.ts';

const headings: Headings<typeof deletionMachine> = {
  closed: 'Delete account',
  looking: 'Delete account',
  asking: 'Delete account',
  deleting: 'Delete account',
  gone: 'Delete account',
};

export const stage: Stage = {
  name: 'deletion',
  models: models.filter(({ name }) => name === 'deletion'),
  address: () => '/account',
  startsSignedIn: () => true,
  arrives: standsRecorded,
  headings,
  // A form without a field has nothing that could be wrong.
  isPossible: ({ context }, { type }) => type !== 'deletion.rejected' || (context as { hasPassword: boolean }).hasPassword,
  ports: {
    hasPassword: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways'),
      answer: (hasPassword: boolean) => json({ hasPassword }),
      says: (hasPassword: boolean, body) => hasPassword === body.includes('true'),
    },
    // Who types a wrong password does not get as far as the deletion.
    deleteAccount: {
      asks: ({ pathname }) => /\/user\/(?:signin|delete)$/.test(pathname),
      answer: () => xml(element('Result', [fields({ Status: 'Ok' })])),
      serverGives: (event) => isDone(event) || problemOf(event['error']).kind === 'unauthorized',
    },
  },
  causes: {
    'deletion.submitted': async (world, event) => {
      const next = nextOf(world, 'deleteAccount');
      const isWrong = next !== null && !isDone(next) && problemOf(next['error']).kind === 'unauthorized';
      if ('password' in (event['pii'] as { form: object }).form)
        await fillFields(world, { password: isWrong ? 'not the password' : password });
      await press(world, event);
    },
    'leave.pressed': leaveForGood,
    'deletion.rejected': async (world) => press(world, { type: 'deletion.submitted' }),
  },
};
