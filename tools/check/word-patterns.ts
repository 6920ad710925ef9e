/** A pattern of wording that readers of this code stumble over, and the reason to reword it. */
export type WordPattern = { pattern: RegExp; reason: string };

/**
 * The patterns that added comments, error texts, log lines, test names and pages of docs are
 * checked against. Text in `backticks` is code and never checked.
 */
export const wordPatterns: readonly WordPattern[] = [
  {
    // Questions may begin with these words.
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

/** Verbs that may begin a commit's subject. Add missing verbs, but no nouns and no "…ing" forms. */
export const subjectVerbs: ReadonlySet<string> = new Set(
  `Accept Add Adopt Align Allow Announce Answer Apply Approve Ask Assert Assign Attach Audit Avoid
  Await Back Batch Begin Bind Block Bound Break Bring Build Bump Cache Call Cancel Cap Carry Catch
  Centre Change Check Choose Clamp Clarify Clean Clear Clone Close Collapse Collect Combine Commit
  Compare Compress Compute Configure Confirm Connect Consolidate Convert Copy Correct Count Cover
  Create Cut Decide Declare Decode Decouple Decrypt Defer Delay Delete Deny Derive Describe Detach Detect
  Disable Dispose Document Drain Draw Drop Embed Emit Enable Encode Encrypt End Enforce Ensure
  Enter Escape Estimate Evaluate Evict Exclude Execute Exit Expand Expect Expire Explain Export Expose
  Extend Extract Fail Fall Fetch Fill Filter Find Finish Fit Fix Flag Flush Focus Fold Follow Forbid
  Forget Format Generate Give Grant Group Guard Hand Handle Hash Help Hide Hold Honour Hydrate
  Ignore Implement Import Improve Include Index Inform Initialise Inject Inline Insert Inspect
  Install Introduce Invalidate Invert Isolate Join Keep Key Label Launch Lay Lead Learn Leave Let
  Limit Link List Load Localise Lock Log Look Loop Lower Make Map Mark Mask Match Measure Memoise
  Merge Migrate Mirror Mount Move Name Narrow Nest Normalise Notify Observe Obtain Offer Omit Open
  Order Override Paginate Parse Pass Pause Permit Persist Pick Pin Plan Play Point Poll Pool Populate
  Post Precompute Prefer Preload Prepare Prerender Preserve Press Preview Price Print Proceed
  Process Produce Promote Propagate Prove Provide Publish Pull Purge Push Put Queue Quote Raise
  Rank Reach Read Rebuild Recognise Reconcile Reconnect Record Recover Redact Redirect Redraw
  Reduce Refactor Reflow Refresh Refund Refuse Register Reimplement Reject Relax Release Reload Remember
  Remove Rename Render Renew Reopen Reorder Repair Repeat Rephrase Replace Replay Report Request
  Require Reschedule Reserve Reset Resize Resolve Respect Restart Restore Restrict Restructure
  Resume Retry Return Reuse Revert Review Revive Revoke Reword Rework Rewrite Rotate Round Route
  Run Sample Sanitise Save Say Scale Scan Scope Scroll Seal Search Seed Seek Select Send Separate
  Serialise Serve Set Settle Share Shift Ship Shorten Show Shrink Shut Sign Signal Silence Simplify
  Simulate Size Skip Slow Snapshot Sort Spawn Specify Speed Split Spread Stamp Standardise Start
  State Stay Step Stop Store Stream Strip Style Submit Subscribe Substitute Sum Support Suppress
  Swap Sweep Switch Synchronise Tag Take Teach Tell Terminate Test Throttle Throw Tidy Tighten
  Time Toggle Trace Track Transfer Transform Translate Treat Trigger Trim Truncate Trust Try Tune
  Turn Type Undo Unescape Unify Unlock Unpack Unregister Unset Untangle Unwrap Update Upgrade
  Upload Use Validate Verify Version Visit Wait Wake Walk Warm Warn Weigh Widen Wire Withdraw Word
  Work Wrap Write Yield Zoom`.split(/\s+/),
);
