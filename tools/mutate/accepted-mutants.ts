/** Reasons why a mutant behaves like the original machine. */
const reasons = {
  independentSend: 'One action only assigns and the other only sends data of the event: their order does not matter.',
  keyImpliesKind: 'Only problems of this kind have the key.',
  storeAndRouteKnown: 'The app opens only when the store and the route are known.',
  customerChecked: 'The guard before lets a customer through, never null.',
  targetsNameChildren: 'The state is only entered by targets that name its child states.',
  noRootEntry: 'The machine itself has neither entry nor invoke; the child state is entered again in any case.',
  clearedOnEntry: 'The first state clears it on entry.',
  noActiveSuggestion: 'No suggestion is active after the last input.',
  returnPathStored: 'The return path is stored just before.',
  initialOutcome: 'This outcome remains until another one is concluded.',
  onlyWithChoice: 'These states are entered only with a choice.',
  onlyWithPage: 'A list is viewed or continued only when there is one.',
  emptyQueue: 'Queued changes are sent as soon as one has failed, so the queue is empty then.',
  mergedIntoContext: 'The assignment is merged into the context anyway.',
  onlyWhileOpen: 'It is evaluated only while a title is open.',
  onlyWhileShown: 'A title is bought only while it is shown.',
  independentAssignments: 'Neither action assigns data that the other one reads: their order does not matter.',
  alreadyDropped: 'An earlier step has already dropped it.',
  onlyListedItems: 'Only listed items can be pressed.',
  nullAsMissing: 'The receiver treats null and a missing value alike.',
  noOfferWithoutCampaign: 'Without a campaign there is no offer of it either; the condition is only for the types.',
  onlyWithQuote: 'The state is entered only with a quote.',
  onlyWithOffer: 'These states are entered only with an offer.',
  sampleTitleId: 'A sample is opened by the id of its title.',
  noCredits: 'Credits are chosen only if the title has a price in credits; no balance is sufficient compared with undefined.',
} as const;

/**
 * Accepted mutants, which no test needs to detect: their keys, as printed by `npm run mutate --
 * --json`, with the reason.
 */
export const accepted: Readonly<Record<string, string>> = {
  "machines/account/passkey-sign-in.ts guards.isCancelled: problem.kind === 'refused' && problem.code === 'passkey_canc is problem.code === 'passkey_cancelled'":
    reasons.keyImpliesKind,
  "machines/account/passkeys-setup.ts guards.isCancelled: problem.kind === 'refused' && problem.code === 'passkey_canc is problem.code === 'passkey_cancelled'":
    reasons.keyImpliesKind,
  "machines/account/phone.ts guards.isOver: problem.kind === 'refused' && problem.code === 'code_over' is problem.code === 'code_over'":
    reasons.keyImpliesKind,
  'machines/account/phone.ts context: pii is left out': reasons.clearedOnEntry,
  'machines/account/phone.ts context: pii is null': reasons.clearedOnEntry,
  "machines/account/provider-return.ts isRefusedWith: problem.kind === 'refused' && problem.code === code is problem.code === code":
    reasons.keyImpliesKind,
  "machines/account/providers.ts states.starting.invoke.input: choice ?? { providerId: '', remember: false, way } is choice":
    reasons.onlyWithChoice,
  "machines/account/providers.ts states.starting.invoke.input: '' is 'changed'": reasons.onlyWithChoice,
  'machines/account/providers.ts states.starting.invoke.input: false is true': reasons.onlyWithChoice,
  'machines/account/providers.ts states.phoning.invoke.input: context.choice?.remember ?? true is context.choice?.remember':
    reasons.onlyWithChoice,
  'machines/account/providers.ts states.phoning.invoke.input: true is false': reasons.onlyWithChoice,
  'machines/app/app.ts actions.startFrame: if (store) is true': reasons.storeAndRouteKnown,
  'machines/app/app.ts states.invalid.on.location.changed[0].actions[0]: comes after the next': reasons.independentSend,
  'machines/app/app.ts states.open.invoke[0].input: if (!store || !route) is false': reasons.storeAndRouteKnown,
  'machines/app/app.ts states.open.invoke[0].input: !store || !route is !route': reasons.storeAndRouteKnown,
  'machines/app/app.ts states.open.invoke[0].input: !store || !route is !store': reasons.storeAndRouteKnown,
  'machines/app/app.ts states.open.on.location.changed.actions[0]: comes after the next': reasons.independentSend,
  'machines/app/app.ts states.open.on.session.changed.actions[0]: comes after the next': reasons.independentSend,
  'machines/app/app.ts states.open.on.language.changed.actions[0]: comes after the next': reasons.independentSend,
  'machines/app/frame.ts states.subscription.on.session.changed.actions[0]: comes after the next': reasons.independentSend,
  'machines/app/language.ts on.language.chosen.reenter: reenter is left out': reasons.noRootEntry,
  'machines/app/location.ts on.history.changed.actions[0]: comes after the next': reasons.independentSend,
  'machines/app/location.ts states.leaving.on.history.changed.actions[0]: comes after the next': reasons.independentSend,
  "machines/app/screen.ts actions.continueAfterSignIn: context.afterSignIn?.path ?? '/' is context.afterSignIn?.path":
    reasons.returnPathStored,
  "machines/app/screen.ts actions.continueAfterSignIn: '/' is 'changed'": reasons.returnPathStored,
  'machines/app/screen.ts states.showing.on.location.changed[0].actions[0]: comes after the next': reasons.independentSend,
  'machines/app/screen.ts states.showing.on.language.changed.actions[0]: comes after the next': reasons.independentSend,
  'machines/app/search-box.ts actions.keepSuggestions: active is left out': reasons.noActiveSuggestion,
  'machines/app/search-box.ts context: suggestions is null': reasons.clearedOnEntry,
  "machines/app/search-box.ts context: active is 'changed'": reasons.clearedOnEntry,
  'machines/app/search-box.ts on.search.typed[0].reenter: reenter is left out': reasons.noRootEntry,
  'machines/app/search-box.ts states.offering.on.suggestion.chosen.actions[0]: comes after the next': reasons.independentSend,
  "machines/app/session.ts states.restoring.invoke.onDone[0].actions.params: event.output ?? { userId: '', pii: { email: '' } } is event.output":
    reasons.customerChecked,
  "machines/app/session.ts states.restoring.invoke.onDone[0].actions.params: '' is 'changed'": reasons.customerChecked,
  "machines/app/session.ts states.restoring.invoke.onDone[0].actions.params: '' is 'changed' (2)": reasons.customerChecked,
  'machines/app/session.ts states.open.initial: leads to signedIn instead of visitor': reasons.targetsNameChildren,
  'machines/browsing/catalogue-setup.ts actions.requestRange: context.page ?? emptySlice is context.page': reasons.onlyWithPage,
  'machines/browsing/catalogue-setup.ts actions.keepMore.page: context.page ?? emptySlice is context.page': reasons.onlyWithPage,
  'machines/browsing/catalogue-setup.ts guards.lacksTitles: page !== null && hasMissingTitles(page, page.count, visible) is hasMissingTitles(page, page.count, visible)':
    reasons.onlyWithPage,
  'machines/browsing/catalogue-setup.ts guards.isNearEnd: page !== null && isNearEnd(page.count, visible) is isNearEnd(page.count, visible)':
    reasons.onlyWithPage,
  'machines/browsing/catalogue-setup.ts guards.endIsSeen: hasMore && page !== null is hasMore': reasons.onlyWithPage,
  'machines/browsing/catalogue.ts states.loading.on.titles.loaded.actions[0]: comes after the next': reasons.independentSend,
  'machines/browsing/catalogue.ts states.loading.on.list.ended.actions[1]: comes after the next': reasons.independentSend,
  'machines/browsing/catalogue.ts states.shown.states.arriving.on.visibleRange.changed.actions[0]: comes after the next':
    reasons.independentSend,
  'machines/browsing/catalogue.ts states.shown.states.arriving.on.list.ended[0].actions[0]: comes after the next':
    reasons.independentSend,
  'machines/browsing/catalogue.ts states.shown.states.resting.on.visibleRange.changed.actions[0]: comes after the next':
    reasons.independentSend,
  'machines/browsing/title-setup.ts isFreeForSale: title !== null && title.forSale is title.forSale': reasons.onlyWhileShown,
  "machines/buying/payment-setup.ts guards.isPriceChanged: problem.kind === 'refused' && problem.code === 'price_change is problem.code === 'price_changed'":
    reasons.keyImpliesKind,
  'machines/buying/payment.ts states.none.entry: conclude is left out': reasons.initialOutcome,
  'machines/reading/addresses.ts onRenewed.actions[0]: comes after the next': reasons.independentSend,
  "machines/reading/addresses.ts guards.isRefused: problem.kind === 'refused' && problem.code === 'not_owned' is problem.code === 'not_owned'":
    reasons.keyImpliesKind,
  'machines/reading/book.ts states.reading.states.page.on.book.moved.actions[0]: comes after the next': reasons.independentSend,
  'machines/reading/book.ts states.reading.states.look.on.look.chosen.actions[0]: comes after the next': reasons.independentSend,
  'machines/reading/interactive.ts states.running.on.interactive.moved.actions[0]: comes after the next': reasons.independentSend,
  'machines/reading/notices.ts context: skipped is left out': reasons.clearedOnEntry,
  "machines/reading/notices.ts context: skipped is 'changed'": reasons.clearedOnEntry,
  'machines/reading/reading-place.ts readActions[0]: comes after the next': reasons.independentSend,
  'machines/reading/tracks.ts states.attached.on.tracks.positionReported[0].actions[0]: comes after the next':
    reasons.independentSend,
  'machines/reading/tracks.ts states.attached.on.position.passed.actions[0]: comes after the next': reasons.independentSend,
  'machines/reading/tracks.ts states.attached.on.item.chosen.actions[0]: comes after the next': reasons.independentSend,
  'machines/reading/tracks.ts states.attached.on.item.chosen.actions[1]: comes after the next': reasons.independentSend,
  'machines/reading/tracks.ts states.attached.states.leaving.on.tracks.positionReported[0].actions[0]: comes after the next':
    reasons.independentSend,
  'machines/reading/viewer.ts getOpenedTitle: if (!context.opened) is false': reasons.onlyWhileOpen,
  'machines/reading/viewer-setup.ts actions.goBack: context.opened?.publication.titleId ?? context.instanceId is context.instanceId':
    reasons.sampleTitleId,
  'machines/reading/viewer-setup.ts actions.goPurchase: context.opened?.publication.titleId ?? context.instanceId is context.opened?.publication.titleId':
    reasons.onlyWhileOpen,
  "machines/reading/viewer-setup.ts guards.isNotOwned: problem.kind === 'refused' && problem.code === 'not_owned' is problem.code === 'not_owned'":
    reasons.keyImpliesKind,
  "machines/ports.ts isMissing: problem.kind === 'refused' && problem.code === 'not_found' is problem.code === 'not_found'":
    reasons.keyImpliesKind,
  "machines/ports.ts isMissing: problem.kind === 'http' && problem.status === 404 is problem.status === 404":
    reasons.keyImpliesKind,
  'machines/account/credentials.ts states.savingEmail.invoke.onDone.actions[0]: comes after the next': reasons.independentSend,
  'machines/account/deletion.ts context: fields is null': reasons.clearedOnEntry,
  "machines/account/deletion.ts context: problem is 'changed'": reasons.clearedOnEntry,
  'machines/account/details.ts states.saving.invoke.onError.actions[0]: comes after the next': reasons.independentAssignments,
  'machines/account/gifts.ts actions.choose: fields is left out': reasons.alreadyDropped,
  'machines/account/gifts.ts states.correcting.on.cancel.pressed.actions[0]: comes after the next':
    reasons.independentAssignments,
  'machines/account/gifts.ts states.sending.invoke.onError[1].actions[0]: comes after the next': reasons.independentAssignments,
  'machines/account/own-providers.ts toNotice: provider === undefined ? null : { what: kind, provider } is ({ what: kind, provider })':
    reasons.onlyListedItems,
  'machines/account/passkeys.ts states.shown.on.rename.pressed.actions[1]: comes after the next': reasons.independentAssignments,
  'machines/account/questions.ts states.saving.invoke.onDone.actions[0]: comes after the next': reasons.independentAssignments,
  'machines/account/questions.ts states.saving.invoke.onError.actions[0]: comes after the next': reasons.independentAssignments,
  "machines/account/reset-password.ts guards.isOver: problem.kind === 'refused' && problem.code === 'link_over' is problem.code === 'link_over'":
    reasons.keyImpliesKind,
  'machines/app/cart.ts toCartChanges: savedAt === undefined ? {} : { savedAt } is ({ savedAt })': reasons.nullAsMissing,
  'machines/app/cart.ts toCartChanges: campaignId === undefined ? {} : { campaignId } is ({ campaignId })': reasons.nullAsMissing,
  'machines/app/change-queue.ts createQueueSetup.actions.restart: ...context is left out': reasons.mergedIntoContext,
  'machines/app/change-queue.ts createQueueSetup.actions.keepFailed.waiting: ...waiting is left out': reasons.emptyQueue,
  'machines/app/screen.ts on.go.actions[0]: comes after the next': reasons.independentSend,
  'machines/browsing/campaign-setup.ts actions.keepLines: problem is left out': reasons.alreadyDropped,
  'machines/browsing/campaign-setup.ts guards.mayBeAdded: campaign === null || offer === undefined is offer === undefined':
    reasons.noOfferWithoutCampaign,
  'machines/browsing/campaign.ts states.changing.invoke.input: change ?? { campaignId, titleId: null, isAdded: false } is change':
    reasons.onlyWithChoice,
  'machines/browsing/campaign.ts states.changing.invoke.input: false is true': reasons.onlyWithChoice,
  'machines/buying/redeem-setup.ts actions.keepForm: problem is left out': reasons.alreadyDropped,
  'machines/buying/redeem-setup.ts actions.keepOffer: chosen is left out': reasons.alreadyDropped,
  'machines/buying/redeem-setup.ts actions.restart: fields is left out': reasons.alreadyDropped,
  "machines/buying/redeem-setup.ts actions.goPay: offer === null ? listPath('all') : paymentPath(offer, HIDDEN is paymentPath(offer, HIDDEN_SECRET)":
    reasons.onlyWithOffer,
  "machines/buying/redeem-setup.ts actions.goPay: 'all' is 'changed'": reasons.onlyWithOffer,
  'machines/buying/redeem-setup.ts guards.isOffered: context.signedIn && context.offer !== null is context.signedIn':
    reasons.onlyWithOffer,
  "machines/buying/redeem.ts states.redeeming.invoke.input: offer?.kind ?? 'title' is offer?.kind": reasons.onlyWithOffer,
  "machines/buying/redeem.ts states.redeeming.invoke.input: 'title' is 'changed'": reasons.onlyWithOffer,
  'machines/buying/redeem.ts states.redeeming.invoke.onDone[0].actions[0]: comes after the next': reasons.independentAssignments,
  'machines/buying/subscription-setup.ts actions.choose: quote is left out': reasons.alreadyDropped,
  "machines/buying/subscription.ts context: chosen is 'changed'": reasons.clearedOnEntry,
  "machines/buying/subscription.ts context: quote is 'changed'": reasons.clearedOnEntry,
  'machines/buying/subscription.ts states.quoting.invoke.onError.actions[0]: comes after the next':
    reasons.independentAssignments,
  'machines/buying/subscription.ts states.changing.invoke.onDone.actions[0]: comes after the next': reasons.independentSend,
  'machines/buying/subscription.ts states.changing.invoke.onError.actions[0]: comes after the next':
    reasons.independentAssignments,
  'machines/buying/tax.ts actions.reportTax: context.quote === null ? null : toTax(context.quote) is toTax(context.quote)':
    reasons.onlyWithQuote,
  "machines/buying/tax.ts guards.isOutdated: problem.kind === 'refused' && problem.code === 'price_change is problem.code === 'price_changed'":
    reasons.keyImpliesKind,
  'machines/buying/ways-to-pay.ts hasEnoughCredits: credits !== null && balance?.accepted === true is balance?.accepted === true':
    reasons.noCredits,
  'machines/buying/ways-to-pay.ts toPaymentFields: withCredits && credits !== null is withCredits': reasons.noCredits,
};
