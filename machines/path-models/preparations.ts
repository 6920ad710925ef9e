/** The shell command, in backticks, by which the operator of the demo store prepares a case. */
export const formatOperatorInstruction = (command: string): string => `\`npm run store -- ${command} --store harbour\``;

/** How to end a subscription by a refund. Only its e-mail has the order number. */
const formatEndedSubscription = (action: string): string =>
  `Have a subscription that has ended: subscribe to Harbour Yearly, which has no trial${action}, and refund its payment by ${formatOperatorInstruction('purchases refund --order NUMBER')}, with the order number in the receipt e-mail`;

/** Preparations for cases of several flows, as instructions without a full stop. */
export const preparations = {
  cards:
    'Have the cards 4242 4242 4242 4242, 4000 0000 0000 0341 and 4000 0000 0000 5027 kept (“Add a card” in My Profile), and `card/all` overridden with its own answer, in which the `<ExpiryYear>` of the last is 2020',
  credits: 'Have DEMO-CREDITS redeemed at /redeem',
  month: 'Have DEMO-MONTH redeemed at /redeem',
  wallet: 'Override `config.json` with its own answer, `"paymentMethods": ["wallet"]` in it',
  priceChange: `While the summary is shown, change the price: ${formatOperatorInstruction('titles set --id 1008 --price 8.99USD')}, with the id of the title that the test takes, and restore it after the test`,
  withoutCredits: `its credits taken off by ${formatOperatorInstruction('titles set --id 1008 --credits 0')}`,
  taxes: `(on the running shop ${formatOperatorInstruction('properties set --set EnableTax=true')}, ${formatOperatorInstruction('taxes set --country FR --name TVA --percent 5.5')}, and ${formatOperatorInstruction('taxes set --country US --region CA --region-name California --name Sales --percent 7.25')})`,
  france: 'Choose France under “Country”',
  paidPayment: 'To end the payment, pay at the payment page with 4242 4242 4242 4242',
  declinedPayment:
    'To end the payment, pay by the kept card 4000 0000 0000 0341, or type 4000 0000 0000 0002 five times at the payment page',
  cancelledPayment: 'To end the payment, press “Cancel” at the payment page',
  unknownPayment: 'Override `checkout/session/status` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
  endedSubscription: formatEndedSubscription(''),
  formatEndedSubscriptionAfter: (action: string): string => formatEndedSubscription(`, ${action}`),
  authenticator:
    '(in developer tools, More tools, WebAuthn, Enable virtual authenticator environment, with resident keys and user verification)',
  offline: 'Choose Offline in the list that says “No throttling” (Network), and “No throttling” again after the step',
  provider: 'Mark this step as Blocked if the store has no provider; the automatic tests cover it (docs/sign-in-providers.md)',
  telephone: 'a shop that was started with a PROVIDERS_FILE of `{"harbour": [{"kind": "phone", "country": "GB"}]}`',
  invalidToken: 'Change `id_token` in the developer tools, Application, Local storage, and open My Library by a link',
  noStorage: 'In the console, `Storage.prototype.setItem = () => { throw new Error(); }`',
};
