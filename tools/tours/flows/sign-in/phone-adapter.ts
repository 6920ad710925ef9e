import type { phoneMachine } from '../../../../machines/account/phone.ts';
import type { PhoneCodeRequest } from '../../../../machines/model/account/phone.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { press } from '../../press.ts';
import { offerPhone } from '../../providers.ts';
import { ELSEWHERE } from '../../in-shop.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, toSessionXml, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const headings: Headings<typeof phoneMachine> = {
  asking: 'Sign in with a phone number',
  sending: 'Sign in with a phone number',
  codeAsked: 'Sign in with a phone number',
  checking: 'Sign in with a phone number',
  welcomed: 'Sign in with a phone number',
};

export const adapter: BrowserAdapter = {
  name: 'phone',
  models: models.filter(({ name }) => name === 'phone'),
  address: () => '/signin',
  headings,
  // Closing it shows the buttons again.
  reacts: ({ type }) => (type === 'phone.closed' ? ELSEWHERE : undefined),
  prepares: offerPhone,
  arrives: async ({ page, flow }) => {
    await page.locator('[data-event="provider.pressed"]').click();
    await flow.waitFor();
  },
  ports: {
    sendCode: {
      asks: ({ pathname }) => pathname.endsWith('/user/phone/code'),
      answer: (output) => {
        const { sentAt, pii } = output as PhoneCodeRequest;
        return xml(renderElement('Result', [renderFields({ Status: 'Ok', RequestId: pii.requestId, SentAt: sentAt })]));
      },
    },
    signInByCode: { asks: ({ pathname }) => pathname.endsWith('/user/phone/signin'), answer: toSessionXml },
  },
  causes: {
    'phone.submitted': async (world, event) => {
      await fillFields(world, { phone: '+44 7400 123456' });
      await press(world, event);
    },
    'phone.rejected': async (world) => {
      await fillFields(world, { phone: '' });
      await press(world, { type: 'phone.submitted' });
    },
    'code.submitted': async (world, event) => {
      await fillFields(world, { code: '123 456' });
      await press(world, event);
    },
    'code.rejected': async (world) => {
      await fillFields(world, { code: '' });
      await press(world, { type: 'code.submitted' });
    },
  },
};
