/** Wording that readers of this code stumble over: what it is, and why another wording is asked for. */
export type WordPattern = { pattern: RegExp; reason: string };

/**
 * The patterns that added comments, error texts, log lines, test names and pages of docs are
 * checked against. Text in `backticks` is code and never checked.
 */
export const wordPatterns: readonly WordPattern[] = [
  {
    // A question may begin so.
    pattern: /(?:^|[.!?;:]\s+)(?:what|who|whoever|whatever|whom|nobody|somebody|anybody|everybody)\b(?![^.!;]*\?)/i,
    reason: 'the subject is a pronoun: name the thing that acts (customer, operator, request, job)',
  },
  { pattern: /\b(?:who|what|which)ever\b/i, reason: 'name the customer, operator, caller or value' },
  { pattern: /\b(?:some|any|every|no)body\b/i, reason: 'say customer, visitor, operator or caller' },
  { pattern: /\b(?:is|are|was|were|be) none\b/i, reason: 'say what is missing or invalid: "has no …", "is not a …"' },
  { pattern: /\b(?:is|are) no such\b/i, reason: 'say "is not a …", with the value and what is expected' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) told\b|\btells? of\b|\bhears? of\b/i,
    reason: 'name the data flow: receives, is notified, is logged, is sent, reports',
  },
  {
    pattern: /\bstands?\b(?! for\b|-)/i,
    reason: 'say is, is in, applies, remains',
  },
  { pattern: /\bleads? on\b|\bgoes on\b|\btakes? up again\b/i, reason: 'say continues, resumes, reactivates' },
  {
    pattern: /\b(?:nought|anew|shall|meanwhile|thousandths|in want of|by the way|is to be had|are to be had|for nothing)\b/i,
    reason: 'archaic or foreign grammar: say zero, again, must, in the meantime, ms, without, free',
  },
  { pattern: /\bfloors?\b(?!\()/i, reason: 'the field says layer' },
  { pattern: /\bforerunners?\b/i, reason: 'the field says legacy, or previous version' },
  {
    pattern: /(?<!\bfirst[- ])\bpaint(?:s|ed|er)\b|\bpainting\b/i,
    reason: 'the field says server rendering: render, prerendered, SSR (a browser’s first paint is one)',
  },
  {
    pattern: /\bletters?\b(?! (?:and|or) (?:digits?|numbers?)\b)(?<!\b(?:capital|lower-case|latin|first) letters?)/i,
    reason: 'the field says e-mail',
  },
];

/** Verbs that a commit's subject begins with. Add one that is missing; a noun or "…ing" is not one. */
export const subjectVerbs: ReadonlySet<string> = new Set(
  `Accept Add Adopt Align Allow Announce Answer Apply Approve Ask Assert Attach Audit Avoid Await Back Batch Bind Block Bound Break
  Bring Build Bump Cache Call Cancel Cap Carry Catch Change Check Choose Clarify Clean Clear Close Collect Compare Compress Compute
  Confirm Connect Copy Correct Count Cover Create Cut Declare Defer Delete Deny Describe Detect Disable Document Drain Draw Drop Embed
  Enable Encode End Enforce Ensure Escape Evict Exclude Expire Explain Export Expose Extend Extract Fail Fetch Filter Find Finish Fit
  Fix Flush Focus Follow Forbid Forget Format Generate Give Grant Group Guard Handle Hash Hide Hold Honour Hydrate Ignore Import
  Improve Include Index Inform Inline Insert Install Introduce Invalidate Isolate Join Keep Key Label Lay Lead Leave Let Limit Link
  List Load Localise Lock Log Look Lower Make Mark Match Measure Merge Migrate Mirror Mount Move Name Narrow Normalise Notify Offer
  Omit Open Order Paginate Parse Pass Pause Pin Plan Point Poll Prefer Preload Prepare Prerender Preserve Preview Price Print Proceed
  Process Prove Provide Publish Purge Put Queue Quote Raise Read Rebuild Recognise Reconnect Record Recover Redact Redirect Reduce
  Refactor Refresh Refund Refuse Register Reject Relax Release Reload Remember Remove Rename Render Renew Repair Repeat Replace Replay
  Report Request Require Reserve Reset Resolve Respect Restore Restrict Resume Retry Return Reuse Revert Review Revoke Rewrite Rotate
  Round Route Run Sample Sanitise Save Say Scan Scope Search Seed Select Send Separate Serialise Serve Set Settle Share Shorten Show
  Shrink Shut Sign Simplify Size Skip Slow Snapshot Sort Speed Split Start State Stop Store Stream Strip Style Submit Support Suppress
  Sweep Switch Take Tell Test Throttle Throw Tidy Tighten Time Trace Track Translate Treat Trim Trust Try Turn Type Undo Unify Unlock
  Update Upgrade Use Validate Verify Version Wait Warm Warn Weigh Widen Wire Withdraw Word Work Wrap Write`.split(/\s+/),
);
