/** Whether an app was disabled by its owner, who may then enable it again. What was disabled before is the administrators'. */
export const ownApp = `
ALTER TABLE client ADD COLUMN disabled_by_owner INTEGER NOT NULL DEFAULT 0;
`
