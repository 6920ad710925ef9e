import type { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import { element, fields } from '../../../server/xml/write.ts';
import { resetPathFor } from '../../e2e/pages/letters.ts';
import { nextOf } from '../../e2e/tours/causes.ts';
import { press } from '../../e2e/tours/press.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { fillFields, isDone, xml } from '../../e2e/tours/wires.ts';
import { models } from './paths.ts';

const headings: Headings<typeof resetPasswordMachine> = {
  loading: null,
  asking: 'Set a new password',
  saving: 'Set a new password',
  saved: 'Your password has been changed',
  over: 'This link no longer works',
  failed: 'We couldn’t check your link',
};

const newPassword = 'lamp and oil';

export const stage: Stage = {
  name: 'resetPassword',
  models,
  sharesPage: true,
  address: () => `/resetpassword/${'A'.repeat(43)}`,
  prepares: async (world) => {
    const isGood = nextOf(world, 'checkLink')?.['output'] === true;
    return isGood ? resetPathFor(world.shop, (await world.customer()).email) : undefined;
  },
  headings,
  ports: {
    checkLink: {
      asks: ({ pathname }) => pathname.includes('/user/token/'),
      answer: (valid: boolean) => xml(element('ResetToken', [fields({ Valid: valid })])),
      says: (valid: boolean, body) => body.includes(`<Valid>${valid}<`),
    },
    savePassword: {
      asks: ({ pathname }) => pathname.endsWith('/user/resetpassword'),
      answer: () => xml(element('Result', [fields({ Status: 'Ok' })])),
      serverGives: isDone,
    },
  },
  causes: {
    'password.submitted': async (world, event) => {
      await fillFields(world, { password: newPassword, again: newPassword });
      await press(world, event);
    },
    'password.rejected': async (world) => {
      await fillFields(world, { password: newPassword, again: 'oil and lamp' });
      await press(world, { type: 'password.submitted' });
    },
  },
};
