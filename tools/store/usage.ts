export const usage = `npm run store -- stores create --id ID --name NAME --currency EUR [--language en] [--host books.example] [--default]
npm run store -- stores list
npm run store -- stores set --currencies EUR,USD
                  the currencies that the store sells in, its own among them; it takes prices in no others
npm run store -- properties set --set NAME=VALUE [--set …] | --file properties.json
                  sets what docs/store-properties.md lists; NAME= takes one back to its default; words may be {"en": "…", "fr": "…"}
npm run store -- properties list               those that are set
npm run store -- import FOLDER [--price 4.99EUR] [--prices prices.csv] [--category NAME] [--onix catalogue.xml]
                  [--categories-from-subjects]
                  brings the EPUBs, PDFs, recordings and films of a folder into the shop, with what they say of themselves;
                  run again it brings up to date what has changed, and doubles nothing: docs/importing.md
  --price         what each costs: an amount in each currency, like 4.99EUR,5.49USD; 0EUR is free
  --prices FILE   CSV with columns isbn or file, price, categories (a;b), forsale (yes, no)
  --category NAME files all there as well, and may be said several times; one that is not there is made
  --categories-from-subjects  files each by what it is about as well, as EPUBs and ONIX say it in words
  --onix FILE     ONIX 3.0 messages, which say more of titles than their files do
npm run store -- titles list [--search TEXT]
npm run store -- titles set --id ID[,ID] [--price 4.99EUR] [--for-sale yes|no] [--listed yes|no] [--categories a,b] [--credits N]
npm run store -- plans add --id ID --name NAME --price 9.99EUR --period week|month|quarter|year [--trial-days N] [--credits N]
                  [--description HTML]
npm run store -- plans list
npm run store -- plans titles --id ID [--add ID,ID] [--remove ID,ID] [--all yes|no]
                  which titles its subscribers read without buying them: those that are named, or every listed one
npm run store -- plans withdraw --id ID        nobody subscribes to it any more; who has, keeps it
npm run store -- campaigns add --id ID --name NAME --titles ID,ID=2.99EUR [--rewards ID,ID --buy N --pick N] [--from DAY] [--to DAY]
                  [--terms HTML]
npm run store -- campaigns list
npm run store -- campaigns end --id ID         now
npm run store -- codes make --grants GRANTS [--count 100 | --code SPRING] --out codes.csv
                  makes codes: each gives title:ID, titles:ID,ID (one of them), plan:ID (a period, without a card),
                  trial:ID:DAYS (with a card), credits:N, discount:20% or discount:20%:ID (of a title)
  --uses 1        how many customers can use each: a number, or unlimited
  --expires DAY   the last day on which they are good, like 2027-01-31, in UTC
npm run store -- codes withdraw --code CODE[,CODE]
                  nobody uses them any more; what they have given stays
npm run store -- codes list                     codes, what they give, and how often they can be used still
npm run store -- credits give --email ADDRESS --amount N --key KEY
                  gives a customer credits; never twice with the same key
npm run store -- purchases list [--from DAY] [--to DAY]
npm run store -- purchases refund --order NUMBER
                  gives all of an order's money, or its credits, back and takes back what it paid for; the number is that of the receipt
npm run store -- ledger list                    what each account has got in each month, and whether it balances
npm run store -- taxes set --country US [--region CA --region-name California] --name "Sales tax" --percent 7.25
                  what is added to prices there, by the place in which a customer says to live; several of one place add up; 0 lets
                  a region without tax be chosen. It needs the property EnableTax
npm run store -- taxes remove --country US [--region CA] --name "Sales tax"
npm run store -- taxes list
npm run store -- clock [--forward 31d | --to 2028-01-31T12:00Z]
                  shows the shop's time, or moves it forward; renewals and e-mails that become due until then happen in their order
  --forward       by 90min, 2h, 31d, 1mo or 1y; forward only; refused with Stripe or Razorpay

  --store ID      which store, where there are several
  --dry-run       says whether it could be done, and does nothing
  --json          lines for programs in place of CSV
  --out FILE      writes them into a new file; npm writes lines of its own before them elsewhere, but for npm run --silent store
  --shop ADDRESS  the shop to ask, like https://books.example; without it the database of DATABASE_URL or DATA_DIR is opened,
                  or the shop on PORT is asked while it runs on that

The shop is asked with the ADMIN_TOKEN that it was started with, from the environment.
Ends with 0 when it is done, with 1 when it cannot be done, with 2 when the command is not understood.`;
