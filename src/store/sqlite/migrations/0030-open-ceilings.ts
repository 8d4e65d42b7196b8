/**
 * Marks the self-registered apps whose ceiling was changed by hand, as far as the audit trail shows it. The other
 * ceilings follow the setting `registration.permissions` (REG-4).
 */
export const openCeilings = `
ALTER TABLE client
  ADD COLUMN ceiling_by_hand INTEGER NOT NULL DEFAULT 0
  CHECK (ceiling_by_hand = 0 OR (ceiling_by_hand = 1 AND registered_by = 'itself'));
UPDATE client SET ceiling_by_hand = 1
  WHERE registered_by = 'itself' AND client_id IN (
    SELECT client_id FROM event WHERE kind = 'app-changed' AND detail LIKE 'permissions %');
`
