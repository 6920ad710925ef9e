/** Why nobody can tell a changed machine from the other one. */
const because = {
  commutes: 'One keeps something, the other tells something that is made of the event alone: either order does the same.',
  onlyRefused: 'Problems of other kinds have no such key.',
  isReady: 'The app opens only when the store and the route are known.',
  isCustomer: 'The guard before lets a customer through, never null.',
  named: 'The state is entered by the names of the states in it alone.',
  rootHasNone: 'The machine itself has neither entry nor invoke; the state below is entered again in any case.',
  forgets: 'The first state forgets it at once.',
  forgotten: 'Nothing is active any more since the last letter was typed.',
  keptBefore: 'The way back is kept just before.',
  beginsSo: 'The outcome is this one until another is concluded.',
  hasChoice: 'These states are entered with a choice alone.',
  hasPage: 'Lists are looked at and go on only where there is one.',
  waitsForNothing: 'What waits is sent as soon as something has failed, so nothing waits then.',
  merges: 'What is assigned is put over the context anyway.',
  isOpen: 'It is asked only where a title is open.',
  isShown: 'A title is bought only where it is shown.',
  apart: 'Neither keeps what the other makes use of: either order does the same.',
  dropped: 'What came before has dropped it by then.',
  isListed: 'Only what is listed can be pressed.',
  isNone: 'Whoever gets it takes what is nothing for what is not there.',
  follows: 'Where there is no campaign, there is no offer of it either; the types ask for the rest.',
  isQuoted: 'The state is entered only with a quote.',
  hasOffer: 'These states are entered only with an offer.',
  sampleId: 'A sample is opened by the id of its title.',
  noCredits: 'Credits are chosen only where the title has a price in them; compared with none, no balance is enough.',
} as const;

/**
 * Changes of machines that no test needs to notice, each by its key, as `npm run mutate -- --json` prints it, and with the reason.
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
