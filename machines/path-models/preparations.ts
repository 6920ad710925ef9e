/** A command of the demo store's operator, for preparing a case. */
export const operatorInstruction = (command: string): string => `\`npm run store -- ${command} --store harbour\``;

/** The number of a subscription's payment is only in its e-mail. */
const endedSubscriptionText = (deed: string): string =>
  `Have a subscription that has ended: subscribe to Harbour Yearly, which has no trial${deed}, and give its payment back by ${operatorInstruction('purchases refund --order NUMBER')}, with the order number in the letter that is its receipt`;

/** Preparations for cases of several flows, as instructions without a full stop. */
export const preparations = {
  cards:
    'Have the cards 4242 4242 4242 4242, 4000 0000 0000 0341 and 4000 0000 0000 5027 kept (“Add a card” in My Profile), and `card/all` overridden with its own answer, in which the `<ExpiryYear>` of the last is 2020',
  credits: 'Have DEMO-CREDITS redeemed at /redeem',
  month: 'Have DEMO-MONTH redeemed at /redeem',
  wallet: 'Override `config.json` with its own answer, `"paymentMethods": ["wallet"]` in it',
  reprice: `While the summary is shown, change the price: ${operatorInstruction('titles set --id 1008 --price 8.99USD')}, with the id of the title that the test takes, and back when it is over`,
  noMoney: `its credits taken off by ${operatorInstruction('titles set --id 1008 --credits 0')}`,
  taxes: `(on the running shop ${operatorInstruction('properties set --set EnableTax=true')}, ${operatorInstruction('taxes set --country FR --name TVA --percent 5.5')}, and ${operatorInstruction('taxes set --country US --region CA --region-name California --name Sales --percent 7.25')})`,
  france: 'Choose France under “Country”',
  paid: 'To end the payment, pay at the payment page with 4242 4242 4242 4242',
  declined:
    'To end the payment, pay by the kept card 4000 0000 0000 0341, or type 4000 0000 0000 0002 five times at the payment page',
  cancelled: 'To end the payment, press “Cancel” at the payment page',
  unknown: 'Override `checkout/session/status` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
  ended: endedSubscriptionText(''),
  endedWith: (deed: string): string => endedSubscriptionText(`, ${deed}`),
  authenticator:
    '(in developer tools, More tools, WebAuthn, Enable virtual authenticator environment, with resident keys and user verification)',
  offline: 'Choose Offline in the list that says “No throttling” (Network), and “No throttling” again after the step',
  provider: 'Leave this step to the gate, as Blocked, where the store has no provider (docs/sign-in-providers.md)',
  telephone: 'a shop that was started with a PROVIDERS_FILE of `{"harbour": [{"kind": "phone", "country": "GB"}]}`',
  spoilt: 'Change `id_token` in the developer tools, Application, Local storage, and open My Library by a link',
  noStorage: 'In the console, `Storage.prototype.setItem = () => { throw new Error(); }`',
};
