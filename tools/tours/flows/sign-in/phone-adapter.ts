import type { phoneMachine } from '../../../../machines/account/phone.ts';
import type { PhoneCodeRequest } from '../../../../machines/model/account/phone.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { press } from '../../press.ts';
import { offerPhone } from '../../providers.ts';
import { ELSEWHERE } from '../../in-shop.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, toSessionXml, toXmlResponse } from '../../wires.ts';
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
  getStartPath: () => '/signin',
  headings,
  // After the phone form is closed, the buttons of the providers are shown again.
  getReaction: ({ type }) => (type === 'phone.closed' ? ELSEWHERE : undefined),
  prepare: offerPhone,
  openScreen: async ({ page, flow }) => {
    await page.locator('[data-event="provider.pressed"]').click();
    await flow.waitFor();
  },
  ports: {
    sendCode: {
      matches: ({ pathname }) => pathname.endsWith('/user/phone/code'),
      toResponse: (output) => {
        const { sentAt, pii } = output as PhoneCodeRequest;
        return toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok', RequestId: pii.requestId, SentAt: sentAt })]));
      },
    },
    signInByCode: { matches: ({ pathname }) => pathname.endsWith('/user/phone/signin'), toResponse: toSessionXml },
  },
  causes: {
    'phone.submitted': async (walk, event) => {
      await fillFields(walk, { phone: '+44 7400 123456' });
      await press(walk, event);
    },
    'phone.rejected': async (walk) => {
      await fillFields(walk, { phone: '' });
      await press(walk, { type: 'phone.submitted' });
    },
    'code.submitted': async (walk, event) => {
      await fillFields(walk, { code: '123 456' });
      await press(walk, event);
    },
    'code.rejected': async (walk) => {
      await fillFields(walk, { code: '' });
      await press(walk, { type: 'code.submitted' });
    },
  },
};
