/** Reasons why a mutant behaves like the original machine. */
const because = {
  commutes: 'One action only assigns and the other only sends data of the event: their order does not matter.',
  onlyRefused: 'Only problems of this kind have the key.',
  isReady: 'The app opens only when the store and the route are known.',
  isCustomer: 'The guard before lets a customer through, never null.',
  named: 'The state is only entered by targets that name its child states.',
  rootHasNone: 'The machine itself has neither entry nor invoke; the child state is entered again in any case.',
  forgets: 'The first state clears it on entry.',
  forgotten: 'No suggestion is active after the last input.',
  keptBefore: 'The way back is stored just before.',
  beginsSo: 'This outcome remains until another one is concluded.',
  hasChoice: 'These states are entered only with a choice.',
  hasPage: 'A list is viewed or continued only when there is one.',
  waitsForNothing: 'Queued changes are sent as soon as one has failed, so the queue is empty then.',
  merges: 'The assignment is merged into the context anyway.',
  isOpen: 'It is evaluated only while a title is open.',
  isShown: 'A title is bought only while it is shown.',
  apart: 'Neither action assigns data that the other one reads: their order does not matter.',
  dropped: 'An earlier step has already dropped it.',
  isListed: 'Only listed items can be pressed.',
  isNone: 'The receiver treats null and a missing value alike.',
  follows: 'Without a campaign there is no offer of it either; the condition is only for the types.',
  isQuoted: 'The state is entered only with a quote.',
  hasOffer: 'These states are entered only with an offer.',
  sampleId: 'A sample is opened by the id of its title.',
  noCredits: 'Credits are chosen only if the title has a price in credits; no balance is sufficient compared with undefined.',
} as const;

/**
 * Accepted mutants, which no test needs to detect: their keys, as printed by `npm run mutate --
 * --json`, with the reason.
 */
export const accepted: Readonly<Record<string, string>> = {
  "machines/account/passkey-sign-in.ts guards.isCancelled: problem.kind === 'refused' && problem.code === 'passkey_canc is problem.code === 'passkey_cancelled'":
    because.onlyRefused,
  "machines/account/passkeys-setup.ts guards.isCancelled: problem.kind === 'refused' && problem.code === 'passkey_canc is problem.code === 'passkey_cancelled'":
    because.onlyRefused,
  "machines/account/phone.ts guards.isOver: problem.kind === 'refused' && problem.code === 'code_over' is problem.code === 'code_over'":
    because.onlyRefused,
  'machines/account/phone.ts context: pii is left out': because.forgets,
  'machines/account/phone.ts context: pii is null': because.forgets,
  "machines/account/provider-return.ts hasCode: problem.kind === 'refused' && problem.code === code is problem.code === code":
    because.onlyRefused,
  "machines/account/providers.ts states.starting.invoke.input: choice ?? { providerId: '', remember: false, way } is choice":
    because.hasChoice,
  "machines/account/providers.ts states.starting.invoke.input: '' is 'changed'": because.hasChoice,
  'machines/account/providers.ts states.starting.invoke.input: false is true': because.hasChoice,
  'machines/account/providers.ts states.phoning.invoke.input: context.choice?.remember ?? true is context.choice?.remember':
    because.hasChoice,
  'machines/account/providers.ts states.phoning.invoke.input: true is false': because.hasChoice,
  'machines/app/app.ts actions.startFrame: if (store) is true': because.isReady,
  'machines/app/app.ts states.invalid.on.location.changed[0].actions[0]: comes after the next': because.commutes,
  'machines/app/app.ts states.open.invoke[0].input: if (!store || !route) is false': because.isReady,
  'machines/app/app.ts states.open.invoke[0].input: !store || !route is !route': because.isReady,
  'machines/app/app.ts states.open.invoke[0].input: !store || !route is !store': because.isReady,
  'machines/app/app.ts states.open.on.location.changed.actions[0]: comes after the next': because.commutes,
  'machines/app/app.ts states.open.on.session.changed.actions[0]: comes after the next': because.commutes,
  'machines/app/app.ts states.open.on.language.changed.actions[0]: comes after the next': because.commutes,
  'machines/app/frame.ts states.subscription.on.session.changed.actions[0]: comes after the next': because.commutes,
  'machines/app/language.ts on.language.chosen.reenter: reenter is left out': because.rootHasNone,
  'machines/app/location.ts on.history.changed.actions[0]: comes after the next': because.commutes,
  'machines/app/location.ts states.leaving.on.history.changed.actions[0]: comes after the next': because.commutes,
  "machines/app/screen.ts actions.goOnAfterSignIn: context.afterSignIn?.path ?? '/' is context.afterSignIn?.path":
    because.keptBefore,
  "machines/app/screen.ts actions.goOnAfterSignIn: '/' is 'changed'": because.keptBefore,
  'machines/app/screen.ts states.showing.on.location.changed[0].actions[0]: comes after the next': because.commutes,
  'machines/app/screen.ts states.showing.on.language.changed.actions[0]: comes after the next': because.commutes,
  'machines/app/search-box.ts actions.keepSuggestions: active is left out': because.forgotten,
  'machines/app/search-box.ts context: suggestions is null': because.forgets,
  "machines/app/search-box.ts context: active is 'changed'": because.forgets,
  'machines/app/search-box.ts on.search.typed[0].reenter: reenter is left out': because.rootHasNone,
  'machines/app/search-box.ts states.offering.on.suggestion.chosen.actions[0]: comes after the next': because.commutes,
  "machines/app/session.ts states.restoring.invoke.onDone[0].actions.params: event.output ?? { userId: '', pii: { email: '' } } is event.output":
    because.isCustomer,
  "machines/app/session.ts states.restoring.invoke.onDone[0].actions.params: '' is 'changed'": because.isCustomer,
  "machines/app/session.ts states.restoring.invoke.onDone[0].actions.params: '' is 'changed' (2)": because.isCustomer,
  'machines/app/session.ts states.open.initial: leads to signedIn instead of visitor': because.named,
  'machines/browsing/catalogue-setup.ts actions.look: context.page ?? nothing is context.page': because.hasPage,
  'machines/browsing/catalogue-setup.ts actions.keepMore.page: context.page ?? nothing is context.page': because.hasPage,
  'machines/browsing/catalogue-setup.ts guards.lacksTitles: page !== null && isLacking(page, page.count, seen) is isLacking(page, page.count, seen)':
    because.hasPage,
  'machines/browsing/catalogue-setup.ts guards.isNearEnd: page !== null && isNearEnd(page.count, seen) is isNearEnd(page.count, seen)':
    because.hasPage,
  'machines/browsing/catalogue-setup.ts guards.endIsSeen: hasMore && page !== null is hasMore': because.hasPage,
  'machines/browsing/catalogue.ts states.loading.on.titles.arrived.actions[0]: comes after the next': because.commutes,
  'machines/browsing/catalogue.ts states.loading.on.list.ended.actions[1]: comes after the next': because.commutes,
  'machines/browsing/catalogue.ts states.shown.states.arriving.on.places.seen.actions[0]: comes after the next': because.commutes,
  'machines/browsing/catalogue.ts states.shown.states.arriving.on.list.ended[0].actions[0]: comes after the next':
    because.commutes,
  'machines/browsing/catalogue.ts states.shown.states.resting.on.places.seen.actions[0]: comes after the next': because.commutes,
  'machines/browsing/title-setup.ts isForNothing: title !== null && title.forSale is title.forSale': because.isShown,
  "machines/buying/payment-setup.ts guards.isPriceChanged: problem.kind === 'refused' && problem.code === 'price_change is problem.code === 'price_changed'":
    because.onlyRefused,
  'machines/buying/payment.ts states.none.entry: conclude is left out': because.beginsSo,
  'machines/reading/addresses.ts renewed.actions[0]: comes after the next': because.commutes,
  "machines/reading/addresses.ts guards.isRefused: problem.kind === 'refused' && problem.code === 'not_owned' is problem.code === 'not_owned'":
    because.onlyRefused,
  'machines/reading/book.ts states.reading.states.page.on.book.moved.actions[0]: comes after the next': because.commutes,
  'machines/reading/book.ts states.reading.states.look.on.look.chosen.actions[0]: comes after the next': because.commutes,
  'machines/reading/interactive.ts states.running.on.interactive.moved.actions[0]: comes after the next': because.commutes,
  'machines/reading/notices.ts context: skipped is left out': because.forgets,
  "machines/reading/notices.ts context: skipped is 'changed'": because.forgets,
  'machines/reading/reading-place.ts read[0]: comes after the next': because.commutes,
  'machines/reading/tracks.ts states.attached.on.tracks.told[0].actions[0]: comes after the next': because.commutes,
  'machines/reading/tracks.ts states.attached.on.position.passed.actions[0]: comes after the next': because.commutes,
  'machines/reading/tracks.ts states.attached.on.item.chosen.actions[0]: comes after the next': because.commutes,
  'machines/reading/tracks.ts states.attached.on.item.chosen.actions[1]: comes after the next': because.commutes,
  'machines/reading/tracks.ts states.attached.states.leaving.on.tracks.told[0].actions[0]: comes after the next':
    because.commutes,
  'machines/reading/viewer.ts opened: if (!context.opened) is false': because.isOpen,
  'machines/reading/viewer-setup.ts actions.goBack: context.opened?.publication.titleId ?? context.instanceId is context.instanceId':
    because.sampleId,
  'machines/reading/viewer-setup.ts actions.goPurchase: context.opened?.publication.titleId ?? context.instanceId is context.opened?.publication.titleId':
    because.isOpen,
  "machines/reading/viewer-setup.ts guards.isNotOwned: problem.kind === 'refused' && problem.code === 'not_owned' is problem.code === 'not_owned'":
    because.onlyRefused,
  "machines/ports.ts isMissing: problem.kind === 'refused' && problem.code === 'not_found' is problem.code === 'not_found'":
    because.onlyRefused,
  "machines/ports.ts isMissing: problem.kind === 'http' && problem.status === 404 is problem.status === 404": because.onlyRefused,
  'machines/account/credentials.ts states.savingEmail.invoke.onDone.actions[0]: comes after the next': because.commutes,
  'machines/account/deletion.ts context: fields is null': because.forgets,
  "machines/account/deletion.ts context: problem is 'changed'": because.forgets,
  'machines/account/details.ts states.saving.invoke.onError.actions[0]: comes after the next': because.apart,
  'machines/account/gifts.ts actions.choose: fields is left out': because.dropped,
  'machines/account/gifts.ts states.correcting.on.cancel.pressed.actions[0]: comes after the next': because.apart,
  'machines/account/gifts.ts states.sending.invoke.onError[1].actions[0]: comes after the next': because.apart,
  'machines/account/own-providers.ts newsOf: provider === undefined ? null : { what, provider } is ({ what, provider })':
    because.isListed,
  'machines/account/passkeys.ts states.shown.on.rename.pressed.actions[1]: comes after the next': because.apart,
  'machines/account/questions.ts states.saving.invoke.onDone.actions[0]: comes after the next': because.apart,
  'machines/account/questions.ts states.saving.invoke.onError.actions[0]: comes after the next': because.apart,
  "machines/account/reset-password.ts guards.isOver: problem.kind === 'refused' && problem.code === 'link_over' is problem.code === 'link_over'":
    because.onlyRefused,
  'machines/app/cart.ts changesOf: savedAt === undefined ? {} : { savedAt } is ({ savedAt })': because.isNone,
  'machines/app/cart.ts changesOf: campaignId === undefined ? {} : { campaignId } is ({ campaignId })': because.isNone,
  'machines/app/change-queue.ts queueSetup.actions.startAnew: ...context is left out': because.merges,
  'machines/app/change-queue.ts queueSetup.actions.keepFailed.waiting: ...waiting is left out': because.waitsForNothing,
  'machines/app/screen.ts on.go.actions[0]: comes after the next': because.commutes,
  'machines/browsing/campaign-setup.ts actions.keepLines: problem is left out': because.dropped,
  'machines/browsing/campaign-setup.ts guards.mayBeAdded: campaign === null || offer === undefined is offer === undefined':
    because.follows,
  'machines/browsing/campaign.ts states.changing.invoke.input: change ?? { campaignId, titleId: null, isAdded: false } is change':
    because.hasChoice,
  'machines/browsing/campaign.ts states.changing.invoke.input: false is true': because.hasChoice,
  'machines/buying/redeem-setup.ts actions.keepForm: problem is left out': because.dropped,
  'machines/buying/redeem-setup.ts actions.keepOffer: chosen is left out': because.dropped,
  'machines/buying/redeem-setup.ts actions.startAnew: fields is left out': because.dropped,
  "machines/buying/redeem-setup.ts actions.goPay: offer === null ? listPath('all') : paymentPath(offer, hidden is paymentPath(offer, hidden)":
    because.hasOffer,
  "machines/buying/redeem-setup.ts actions.goPay: 'all' is 'changed'": because.hasOffer,
  'machines/buying/redeem-setup.ts guards.isOffered: context.signedIn && context.offer !== null is context.signedIn':
    because.hasOffer,
  "machines/buying/redeem.ts states.redeeming.invoke.input: offer?.kind ?? 'title' is offer?.kind": because.hasOffer,
  "machines/buying/redeem.ts states.redeeming.invoke.input: 'title' is 'changed'": because.hasOffer,
  'machines/buying/redeem.ts states.redeeming.invoke.onDone[0].actions[0]: comes after the next': because.apart,
  'machines/buying/subscription-setup.ts actions.choose: quote is left out': because.dropped,
  "machines/buying/subscription.ts context: chosen is 'changed'": because.forgets,
  "machines/buying/subscription.ts context: quote is 'changed'": because.forgets,
  'machines/buying/subscription.ts states.quoting.invoke.onError.actions[0]: comes after the next': because.apart,
  'machines/buying/subscription.ts states.changing.invoke.onDone.actions[0]: comes after the next': because.commutes,
  'machines/buying/subscription.ts states.changing.invoke.onError.actions[0]: comes after the next': because.apart,
  'machines/buying/tax.ts actions.tellTax: context.quote === null ? null : taxIn(context.quote) is taxIn(context.quote)':
    because.isQuoted,
  "machines/buying/tax.ts guards.isOutdated: problem.kind === 'refused' && problem.code === 'price_change is problem.code === 'price_changed'":
    because.onlyRefused,
  'machines/buying/ways-to-pay.ts hasEnoughCredits: credits !== null && balance?.accepted === true is balance?.accepted === true':
    because.noCredits,
  'machines/buying/ways-to-pay.ts paidBy: withCredits && credits !== null is withCredits': because.noCredits,
};
